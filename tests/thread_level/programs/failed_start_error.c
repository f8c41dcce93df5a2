/* Where pthread_create() has failed there may be threads that have been started before, and others
   call MPI before anybody asks.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static void *serve(void *unused) {
    (void)unused;
    MPI_Recv(0, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void *listen(void *unused) {
    (void)unused;
    MPI_Recv(0, 0, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void *answer(void *unused) {
    (void)unused;
    MPI_Recv(0, 0, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

int main(int argc, char **argv) {
    pthread_t servers[4], listener;
    int provided, error;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    error = pthread_create(&listener, 0, listen, 0);
    MPI_Barrier(MPI_COMM_SELF);
    if (error != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_join(listener, 0);
    if (pthread_create(&listener, 0, answer, 0) == 0) {
        MPI_Send(0, 0, MPI_INT, 0, 3, MPI_COMM_SELF);
        pthread_join(listener, 0);
    }
    for (int i = 0; i < 4; ++i) {
        if (pthread_create(&servers[i], 0, serve, 0) != 0) {
            MPI_Finalize(); /* expect: mpi-finalize */
            return 1;
        }
    }
    for (int i = 0; i < 4; ++i) pthread_join(servers[i], 0);
    MPI_Finalize();
    return 0;
}
