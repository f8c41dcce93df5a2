/* The program's own MPI_Send, in a file of its own, counts calls of the library's. */
/* required: MPI_THREAD_MULTIPLE */
/* file: send.c */
#include <mpi.h>
int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    int error = 0;
    static long calls;
#pragma omp atomic
    calls++;
    error = PMPI_Send(data, count, type, to, tag, comm); /* expect: mpi-thread-level */
    return error;
}
/* file: main.c */
#include <mpi.h>
int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = 1;
        MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* compiler: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}
