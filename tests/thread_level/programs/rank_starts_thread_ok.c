/* A thread that only rank 0 starts, and calls that only the others make.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static double x, y;
static int rank;

static void* serve(void* size) {
    for (int i = 1; i < *(int*)size; ++i)
        MPI_Recv(&x, 1, MPI_DOUBLE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return size;
}

static void by_size(int peers) {
    int size;
    pthread_t server;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) pthread_create(&server, NULL, serve, &peers);
    if (size <= 1) MPI_Send(&y, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    if (size > 1) pthread_join(server, NULL);
}

int main(int argc, char** argv) {
    int provided, size;
    pthread_t server;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) pthread_create(&server, NULL, serve, &size);
    y = argc;
    if (rank != 0) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) pthread_join(server, NULL);
    by_size(size);
    MPI_Finalize();
    return 0;
}
