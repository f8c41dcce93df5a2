/* Threads probe, and receive what they may not have found.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int count, *values;
        MPI_Status status;
        MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status); /* expect: mpi-message-order */
        MPI_Get_count(&status, MPI_INT, &count);
        values = malloc(count * sizeof *values);
        MPI_Recv(values, count, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-message-order */
        free(values);
    }
    MPI_Finalize();
}
