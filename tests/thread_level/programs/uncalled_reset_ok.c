/* main goes on when the poller has said that it is ready, behind its call. What resets or spoils the flag is there for
   other programs: one function is never called, the other writes what the flag is until then.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

enum { STARTING, READY, BROKEN };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int state = STARTING;

static void *poll_messages(void *unused) {
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&mutex);
    state = READY;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *watch(void *unused) {
    pthread_mutex_lock(&mutex);
    state = STARTING;
    pthread_mutex_unlock(&mutex);
    return unused;
}

void give_up(void) {
    pthread_mutex_lock(&mutex);
    state = BROKEN;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv) {
    int provided, size;
    pthread_t poller, watcher;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&watcher, NULL, watch, NULL);
    pthread_create(&poller, NULL, poll_messages, NULL);
    pthread_mutex_lock(&mutex);
    while (state == STARTING)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pthread_join(poller, NULL);
    pthread_join(watcher, NULL);
    MPI_Finalize();
    return 0;
}
