/* Each thread waits for a request of its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int rank;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel num_threads(2)
    {
        int value = 0;
        MPI_Request request;
        MPI_Isend(&value, 1, MPI_INT, rank, omp_get_thread_num(), MPI_COMM_WORLD, &request);
        MPI_Recv(&value, 1, MPI_INT, rank, omp_get_thread_num(), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
