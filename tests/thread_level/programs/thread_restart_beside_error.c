/* A function joins the thread that it has started before, and starts the next one: another thread
   is there all the same.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_t worker, listener;
static int started;

static void *work(void *unused) {
    int value = 0;
    (void)unused;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
    return 0;
}

static void *listen(void *unused) {
    int value;
    (void)unused;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return 0;
}

static void restart(void) {
    if (started) pthread_join(worker, 0);
    pthread_create(&worker, 0, work, 0);
    started = 1;
}

static void start(void) {
    pthread_create(&listener, 0, listen, 0);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    start();
    restart();
    restart();
    pthread_join(worker, 0);
    pthread_join(listener, 0);
    MPI_Finalize();
    return 0;
}
