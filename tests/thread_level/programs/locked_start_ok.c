/* Whichever thread comes first starts the one that receives: a lock is held from where a variable is
   asked for that to where it is set.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_t receiver, prober;
static int running;
static int probing;

static void *receive(void *unused) {
    int value;
    (void)unused;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return 0;
}

static void *probe(void *unused) {
    int flag;
    (void)unused;
    MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return 0;
}

static void ensure(void) {
    pthread_mutex_lock(&guard);
    if (!running) {
        running = 1;
        pthread_create(&receiver, 0, receive, 0);
    }
    pthread_mutex_unlock(&guard);
}

static void finish(void) {
    pthread_mutex_lock(&guard);
    if (running) {
        pthread_join(receiver, 0);
        running = 0;
    }
    pthread_mutex_unlock(&guard);
}

static void watch(void) {
    pthread_mutex_lock(&guard);
    if (probing) {
        pthread_mutex_unlock(&guard);
        return;
    }
    pthread_create(&prober, 0, probe, 0);
    probing = 1;
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
    finish();
    start_two(look);
    pthread_join(prober, 0);
    MPI_Finalize();
    return 0;
}
