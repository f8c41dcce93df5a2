/* A member that gives teams their size is asked in another file.
   requested: MPI_THREAD_SERIALIZED
   required: MPI_THREAD_SERIALIZED */

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
        MPI_Barrier(MPI_COMM_WORLD);
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
        MPI_Barrier(MPI_COMM_WORLD);
    }
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
    MPI_Finalize();
    return 0;
}
