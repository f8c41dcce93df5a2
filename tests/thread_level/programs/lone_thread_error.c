/* A variable says whether the thread is there, but it is also set back while the thread is there,
   or is not changed on all ways.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_t receiver, prober;
static int running, probing;

static void *receive(void *unused) {
    int value;
    (void)unused;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void run(void) {
    if (!running) {
        pthread_create(&receiver, 0, receive, 0);
        running = 1;
    }
}

static void again(void) {
    running = 0;
}

static void *probe(void *unused) {
    int flag;
    (void)unused;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void start(int hidden) {
    if (!probing) {
        pthread_create(&prober, 0, probe, 0);
        if (!hidden) probing = 1;
    }
}

static void finish(void) {
    if (running) {
        pthread_join(receiver, 0);
        running = 0;
    }
    if (probing) {
        pthread_join(prober, 0);
        probing = 0;
    }
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 3; ++i) {
        run();
        if (argc == i) again();
    }
    finish();
    for (int i = 0; i < 3; ++i) start(argc);
    finish();
    MPI_Finalize();
    return 0;
}
