/* All threads receive from one process with one tag, which they compute of what they have in common.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int size = 1;
    int number = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel firstprivate(number)
    {
        MPI_Recv(&number, 1, MPI_INT, (rank + 1) % size, 100 + size, MPI_COMM_WORLD, /* expect: mpi-message-order */
                 MPI_STATUS_IGNORE);
    }
#pragma omp parallel sections firstprivate(number)
    {
#pragma omp section
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp section
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
    }
    MPI_Finalize();
    return 0;
}
