/* A thread reports something by MPI, and goes on.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char* why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* expect: mpi-thread-level */
    fprintf(stderr, "%d: %s\n", rank, why);
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
