/* The program's own MPI_Send locks around the library's. */
/* required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 1;
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    int error = 0;
#pragma omp critical(sending)
    error = PMPI_Send(data, count, type, to, tag, comm);
    return error;
}
