/* Where pthread_create() has failed there is no thread.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *serve(void *unused) {
    (void)unused;
    MPI_Recv(0, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return 0;
}

static int finish(int result) {
    MPI_Send(0, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF);
    MPI_Finalize();
    return result;
}

int main(int argc, char **argv) {
    pthread_t server;
    int provided, error;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    if (pthread_create(&server, 0, serve, 0)) return finish(1);
    pthread_join(server, 0);
    error = pthread_create(&server, 0, serve, 0);
    if (error != 0) {
        fprintf(stderr, "%d\n", error);
        return finish(error);
    }
    pthread_join(server, 0);
    if (pthread_create(&server, 0, serve, 0) == 0) {
        pthread_join(server, 0);
    } else {
        MPI_Send(0, 0, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_SELF);
    }
    return finish(0);
}
