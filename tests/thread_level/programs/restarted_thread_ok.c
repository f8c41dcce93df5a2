/* A thread is ended before the next one is started, by a function that does both, whoever has
   started the first one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t prober;
static atomic_int is_done;
static int is_there;

static void *probe(void *unused) {
    int flag = 0;
    while (!is_done && !flag) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return unused;
}

static void start(void) {
    is_done = 0;
    pthread_create(&prober, 0, probe, 0);
    is_there = 1;
}

static void stop(void) {
    is_done = 1;
    pthread_join(prober, 0);
    is_there = 0;
}

static void restart(void) {
    stop();
    start();
}

static void check(int step) {
    if (step % 2 != 0) restart();
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start();
    restart();
    restart();
    stop();
    MPI_Barrier(MPI_COMM_WORLD);
    start();
    for (int i = 0; i < 10; ++i) check(i);
    stop();
    MPI_Finalize();
    return 0;
}
