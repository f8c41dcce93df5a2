/* Of two threads one says that it is done with MPI.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_there;
static int value;

static void* fetch(void* argument) {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level mpi-concurrent-collectives */
    pthread_mutex_lock(&mutex);
    is_there = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread, other;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    pthread_create(&thread, 0, fetch, 0);
    pthread_create(&other, 0, fetch, 0);
    pthread_mutex_lock(&mutex);
    while (!is_there) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_join(thread, 0);
    pthread_join(other, 0);
    MPI_Finalize();
}
