/* What ends the thread is for another one, or is left out on some way.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_t prober, receiver, other;
static atomic_int is_done;

static void *probe(void *unused) {
    int flag = 0;
    while (!is_done && !flag)
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void *receive(void *unused) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return unused;
}

static void start(void) {
    is_done = 0;
    pthread_create(&prober, 0, probe, 0);
}

static void restart(int is_sure) {
    if (is_sure) {
        is_done = 1;
        pthread_join(prober, 0);
    }
    start();
}

static void start_receiver(pthread_t *thread) {
    pthread_create(thread, 0, receive, 0);
}

static void restart_other(void) {
    pthread_join(other, 0);
    start_receiver(&other);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start();
    restart(argc);
    pthread_join(prober, 0);
    start_receiver(&receiver);
    start_receiver(&other);
    restart_other();
    pthread_join(receiver, 0);
    pthread_join(other, 0);
    MPI_Finalize();
    return 0;
}
