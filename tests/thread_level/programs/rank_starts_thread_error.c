/* What decides who starts a thread is changed before it decides who calls; or it is another rank.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static double x, y;
static int phase;

static void* serve(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void* listen(void* unused) {
    MPI_Recv(&x, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

int main(int argc, char** argv) {
    int provided, rank;
    pthread_t server, listener;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (phase == 0) pthread_create(&server, NULL, serve, NULL);
    phase = argc;
    if (phase != 0) MPI_Send(&y, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    pthread_join(server, NULL);
    if (rank < 2) pthread_create(&listener, NULL, listen, NULL);
    if (rank == 0) MPI_Send(&y, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    if (rank < 2) pthread_join(listener, NULL);
    MPI_Finalize();
    return 0;
}
