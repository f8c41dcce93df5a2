/* One of two threads calls when it has given the turn away.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum Turn { kCompute, kCommunicate, kEnd };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static enum Turn turn = kCompute;
static int value;

static void hand_over(enum Turn to) {
    pthread_mutex_lock(&mutex);
    turn = to;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void* communicate(void* argument) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (turn == kCompute) pthread_cond_wait(&changed, &mutex);
        const enum Turn now = turn;
        pthread_mutex_unlock(&mutex);
        if (now == kEnd) return argument;
        hand_over(kCompute);
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    }
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, communicate, 0);
    for (int i = 0; i < 10; ++i) {
        hand_over(kCommunicate);
        pthread_mutex_lock(&mutex);
        while (turn != kCompute) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    hand_over(kEnd);
    pthread_join(thread, 0);
    MPI_Finalize();
}
