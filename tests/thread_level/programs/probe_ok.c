/* What is found is taken out by its handle.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int count, *values;
        MPI_Status status;
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, omp_get_thread_num(), MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        values = malloc(count * sizeof *values);
        MPI_Mrecv(values, count, MPI_INT, &message, MPI_STATUS_IGNORE);
        free(values);
    }
    MPI_Finalize();
}
