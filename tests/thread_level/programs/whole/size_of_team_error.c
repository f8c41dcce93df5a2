/* Another file has a team that gets its size from elsewhere; and a member is no level because it is compared with 2.
   requested: MPI_THREAD_SERIALIZED
   required: MPI_THREAD_MULTIPLE */

/* file: parts.h */
struct parameters {
    int threads;
    int rounds;
};
void warm_up(const struct parameters* parameters);
void finish(const struct parameters* parameters);
void run(const struct parameters* parameters);

/* file: parts.c */
#include "parts.h"

#include <mpi.h>

void warm_up(const struct parameters* parameters) {
    if (parameters->threads == 1) {
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    } else {
#pragma omp barrier
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp barrier
}

void finish(const struct parameters* parameters) {
    if (parameters->threads > 1) {
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp barrier
    if (parameters->rounds >= 2) MPI_Send(&parameters->rounds, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

/* file: run.c */
#include <omp.h>

#include "parts.h"

void run(const struct parameters* parameters) {
    int threads = parameters->threads;
    omp_set_num_threads(threads);
#pragma omp parallel
    {
        warm_up(parameters);
        finish(parameters);
    }
}

/* file: main.c */
#include "parts.h"

#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    struct parameters parameters = {argc, 10};
    run(&parameters);
#pragma omp parallel num_threads(8)
    finish(&parameters);
    MPI_Finalize();
    return 0;
}
