/* A thread that takes any message, beside one that has found a certain one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, command, work;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        MPI_Status status;
        if (omp_get_thread_num() == 1) {
            MPI_Recv(&command, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        } else if (omp_get_thread_num() == 2) {
            MPI_Probe(0, 7, MPI_COMM_WORLD, &status); /* expect: mpi-message-order */
            MPI_Recv(&work, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
        }
    }
    MPI_Finalize();
    return 0;
}
