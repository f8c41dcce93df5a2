/* A function calls MPI, and joins the thread only then, behind another call.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_t server;

static void *serve(void *unused) {
    (void)unused;
    MPI_Recv(0, 0, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level mpi-finalize */
    return 0;
}

static void stop(void) {
    MPI_Ssend(0, 0, MPI_INT, 0, 1, MPI_COMM_SELF);
    pthread_join(server, 0);
}

static void end(void) {
    stop();
}

static void finish(void) {
    MPI_Finalize();
    pthread_join(server, 0);
}

static void give_up(void) {
    finish();
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&server, 0, serve, 0);
    if (argc > 1) {
        give_up();
        return 1;
    }
    end();
    MPI_Finalize();
    return 0;
}
