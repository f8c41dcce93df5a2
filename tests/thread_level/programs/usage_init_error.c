/* Who is told how to call the program goes on to the region all the same.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

static void tell(int* argc, char*** argv) {
    int rank;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) puts("usage: program count");
}

static void send(void) {
#pragma omp parallel /* expect: mpi-strict-single */
    {
        int value = 1;
        MPI_Send(&value, 1, MPI_INT, 0, omp_get_thread_num(), MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    int provided;
    if (argc < 2) {
        tell(&argc, &argv);
    } else {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    send();
    MPI_Finalize();
    return 0;
}
