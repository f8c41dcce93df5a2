/* A flag tells a thread to stop, and whoever sets it waits, or holds the lock of the thread's calls.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static volatile int quit;
static volatile int is_over;
static volatile int has_stopped;
static int closed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void* poll(void* argument) {
    int flag;
    while (!quit) MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    return argument;
}

static void* poll_on(void* argument) {
    int flag;
    while (!is_over) MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    has_stopped = 1;
    return argument;
}

/* The lock is held in the call. */
static void* serve(void* argument) {
    pthread_mutex_lock(&mutex);
    while (!closed) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
        pthread_cond_wait(&changed, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void close_it(void) {
    pthread_mutex_lock(&mutex);
    closed = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, poll, 0);
    quit = 1;
    pthread_join(thread, 0);
    MPI_Barrier(MPI_COMM_WORLD);

    pthread_create(&thread, 0, serve, 0);
    close_it();
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);

    pthread_create(&thread, 0, poll_on, 0);
    is_over = 1;
    while (!has_stopped) {
    }
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    MPI_Finalize();
}
