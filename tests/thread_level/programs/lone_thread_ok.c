/* A variable says whether the thread is there: it is started once, until it is joined.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_t receiver, prober;
static int running, probing;

static void *receive(void *unused) {
    int value;
    (void)unused;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return 0;
}

static void run(void) {
    if (!running) {
        pthread_create(&receiver, 0, receive, 0);
        running = 1;
    }
}

static void finish(void) {
    if (running) {
        pthread_join(receiver, 0);
        running = 0;
    }
}

static void *probe(void *unused) {
    int flag;
    (void)unused;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return 0;
}

static void watch(void) {
    if (probing) return;
    probing = 1;
    pthread_create(&prober, 0, probe, 0);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 3; ++i) run();
    finish();
    for (int i = 0; i < 3; ++i) watch();
    pthread_join(prober, 0);
    MPI_Finalize();
    return 0;
}
