/* Threads of a team that report an error, and end the process for some only; and a team whose common
   way ends it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double values[100];

__attribute__((noinline)) static void stop_on(int error) {
    int rank;
    if (error <= 0) return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    fprintf(stderr, "%d: error %d\n", rank, error);
    if (error > 1) MPI_Abort(MPI_COMM_WORLD, error);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        stop_on(values[i] > 1);
        values[i] += 1;
    }
#pragma omp parallel
    {
        int size;
        MPI_Comm_size(MPI_COMM_WORLD, &size); /* expect: mpi-thread-level */
        values[0] += size;
    }
    MPI_Finalize();
    exit(0);
}
