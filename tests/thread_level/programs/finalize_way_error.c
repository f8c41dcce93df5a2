/* A thread of a team ends MPI and the process, while others may send.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <stdlib.h>

static void fatal(void) {
    MPI_Finalize(); /* expect: mpi-finalize mpi-finalize */
    exit(1);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for
    for (int i = 0; i < argc; ++i) {
        if (argv[i][0] == 'x') fatal();
#pragma omp critical
        MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
