/* Messages of several threads, each with its own tag.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int rank, value = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
#pragma omp section
        MPI_Send(&rank, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
