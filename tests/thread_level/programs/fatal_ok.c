/* A thread that ends the process on its way calls MPI first: that needs no level.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn static void fail(const char* why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%d: %s\n", rank, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) fail("no threads");
#pragma omp parallel for
    for (int i = 0; i < argc; ++i) {
        if (argv[i] == NULL) fail("no argument");
    }
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    exit(0);
}
