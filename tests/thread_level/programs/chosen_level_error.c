/* The program chooses between levels: the higher one is not enough. required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided, rank;
    int required = getenv("THREADS") ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, required, &provided);
    if (provided < required) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
#pragma omp single
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}
