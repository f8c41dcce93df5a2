/* Detached threads say that they are done; who ends MPI waits for that, if there is a thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static MPI_Comm comm;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile int done, started;
static volatile int answered, asks;

static void* progress(void* argument) {
    MPI_Recv(0, 0, MPI_CHAR, 0, 9, comm, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void* answer(void* argument) {
    MPI_Recv(0, 0, MPI_CHAR, 0, 8, comm, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&mutex);
    answered = 1;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void wait_for_answer(void) {
    pthread_mutex_lock(&mutex);
    while (!answered) pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
}

static void start(void) {
    pthread_t thread;
    pthread_create(&thread, 0, progress, 0);
    pthread_detach(thread);
    started = 1;
}

static void stop(void) {
    if (!started) return;
    MPI_Send(0, 0, MPI_CHAR, 0, 9, comm);
    pthread_mutex_lock(&mutex);
    while (!done) pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    started = 0;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    if (getenv("PROGRESS") != 0) start();
    if (argc > 1) {
        asks = 1;
        pthread_create(&thread, 0, answer, 0);
        pthread_detach(thread);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (asks) {
        MPI_Send(0, 0, MPI_CHAR, 0, 8, comm);
        wait_for_answer();
    }
    stop();
    MPI_Finalize();
}
