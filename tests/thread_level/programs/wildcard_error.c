/* A receive that leaves open what it is for beside one that does not: it may take the message.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static int values[8];

static void get(int source, int tag) {
    MPI_Recv(&values[6], 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Recv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&values[1], 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
    }
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Recv(&values[2], 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&values[3], 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
    }
#pragma omp parallel sections
    {
#pragma omp section
        get(MPI_ANY_SOURCE, 2);
#pragma omp section
        get(1, 2);
    }
    MPI_Finalize();
}
