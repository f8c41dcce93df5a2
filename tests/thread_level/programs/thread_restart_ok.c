/* A function joins the thread that it has started before, and starts the next one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_t worker;
static int started;

static void *work(void *unused) {
    int value = 0;
    (void)unused;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    return 0;
}

static void restart(void) {
    if (started) pthread_join(worker, 0);
    pthread_create(&worker, 0, work, 0);
    started = 1;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 3; ++i) restart();
    restart();
    if (started) pthread_join(worker, 0);
    MPI_Finalize();
    return 0;
}
