/* A thread receives from its left neighbour with any tag, while another one probes for the right
   one: with two processes that is the same one. required: MPI_THREAD_MULTIPLE ways: all */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
    {
        int value = 0;
        if (omp_get_thread_num() == 0) {
            MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
        } else if (omp_get_thread_num() == 1) {
            MPI_Recv(&value, 1, MPI_INT, (rank - 1 + size) % size,
                     MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (omp_get_thread_num() == 2) {
            MPI_Probe((rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
        }
    }
    MPI_Finalize();
    return 0;
}
