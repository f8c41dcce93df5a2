/* Who has room in a queue has not got the turn.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { kRoom = 8 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;
static int items[kRoom];

static void* send(void* argument) {
    for (int i = 0; i < 100; ++i) {
        pthread_mutex_lock(&mutex);
        while (count == 0) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        MPI_Send(items, 1, MPI_INT, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        pthread_mutex_lock(&mutex);
        --count;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, send, 0);
    for (int i = 0; i < 100; ++i) {
        pthread_mutex_lock(&mutex);
        while (count == kRoom) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        MPI_Recv(items, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_mutex_lock(&mutex);
        ++count;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(thread, 0);
    MPI_Finalize();
}
