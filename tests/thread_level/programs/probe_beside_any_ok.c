/* Messages from anywhere, with a tag or on a communicator of their own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, command, work, news;
    MPI_Comm others;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &others);
#pragma omp parallel
    {
        MPI_Status status;
        if (omp_get_thread_num() == 1) {
            MPI_Recv(&command, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
        } else if (omp_get_thread_num() == 2) {
            MPI_Probe(0, 7, MPI_COMM_WORLD, &status);
            MPI_Recv(&work, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (omp_get_thread_num() == 3) {
            MPI_Recv(&news, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, others, &status);
        }
    }
    MPI_Comm_free(&others);
    MPI_Finalize();
    return 0;
}
