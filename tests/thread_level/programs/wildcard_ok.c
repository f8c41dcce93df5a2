/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG beside others that no message matches, too: by
   another tag, peer or communicator; and one after the other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int values[8];

int main(int argc, char** argv) {
    int provided;
    MPI_Comm other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Recv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&values[1], 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&values[2], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Recv(&values[3], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&values[4], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
#pragma omp parallel
    {
#pragma omp single
        MPI_Recv(&values[5], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, MPI_STATUS_IGNORE);
#pragma omp single
        MPI_Recv(&values[6], 1, MPI_INT, 0, 2, other, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
