/* Two threads start one each: the lock is released between the question and the answer, or another
   thread asks without it, or the variable says no again while the thread is there.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_t receiver, prober, sender;
static int running;
static int probing;
static int sending;

static void *receive(void *unused) {
    int value;
    (void)unused;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void *probe(void *unused) {
    int flag;
    (void)unused;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return 0;
}

static void *send(void *unused) {
    (void)unused;
    MPI_Send(&running, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return 0;
}

static void ensure(void) {
    pthread_mutex_lock(&guard);
    if (!running) {
        pthread_mutex_unlock(&guard);
        pthread_mutex_lock(&guard);
        running = 1;
        pthread_create(&receiver, 0, receive, 0);
    }
    pthread_mutex_unlock(&guard);
}

static void watch(void) {
    if (!probing) {
        pthread_mutex_lock(&guard);
        probing = 1;
        pthread_create(&prober, 0, probe, 0);
        pthread_mutex_unlock(&guard);
    }
}

static void begin(void) {
    pthread_mutex_lock(&guard);
    if (!sending) {
        sending = 1;
        pthread_create(&sender, 0, send, 0);
    }
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    sending = 0;
    pthread_mutex_unlock(&guard);
}

static void *work(void *unused) {
    ensure();
    return unused;
}

static void *look(void *unused) {
    watch();
    return unused;
}

static void *hand_on(void *unused) {
    begin();
    return unused;
}

static void start_two(void *(*run)(void *)) {
    pthread_t first, second;
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    start_two(work);
    pthread_join(receiver, 0);
    start_two(look);
    pthread_join(prober, 0);
    start_two(hand_on);
    pthread_join(sender, 0);
    MPI_Finalize();
    return 0;
}
