/* A flag that goes both ways, but the function waits for it on one of its ways only.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t thread;
static int running;

static void *progress(void *unused) {
    int provided;
    (void)unused;
    MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    pthread_mutex_lock(&mutex);
    running = 1;
    pthread_cond_signal(&changed);
    while (running) pthread_cond_wait(&changed, &mutex);
    MPI_Finalize(); /* expect: mpi-finalize */
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void start(int waits) {
    pthread_create(&thread, 0, progress, 0);
    pthread_mutex_lock(&mutex);
    while (waits && !running) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

int main(int argc, char **argv) {
    (void)argv;
    start(argc > 1);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_mutex_lock(&mutex);
    running = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
