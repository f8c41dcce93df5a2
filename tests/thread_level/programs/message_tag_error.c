/* The tag is the same each time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int next;
static int tag_of_all = 7;
static int last = 100;

static void* work(void* argument) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        int tag = next;
        if (tag < last) next++;
        pthread_mutex_unlock(&mutex);
        if (tag >= last) return argument;
        MPI_Send(&tag, 1, MPI_INT, 0, tag_of_all, MPI_COMM_WORLD); /* expect: mpi-message-order */
    }
}

int main(int argc, char** argv) {
    pthread_t threads[2];
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    next = 1;
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], 0);
    MPI_Finalize();
    return 0;
}
