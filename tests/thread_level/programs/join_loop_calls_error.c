/* When a loop has joined one thread, the others still run.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { kMost = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* number) {
    pthread_mutex_lock(&lock);
    MPI_Send(number, 1, MPI_INT, 0, *(int*)number, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void* count(void* number) {
    pthread_mutex_lock(&lock);
    MPI_Ssend(number, 1, MPI_INT, 0, *(int*)number, MPI_COMM_WORLD);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char** argv) {
    int provided = 0;
    int numbers[kMost];
    pthread_t threads[kMost];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < argc; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < argc; ++i) {
        int number = 0;
        pthread_join(threads[i], NULL);
        MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < argc; ++i)
        pthread_create(&threads[i], NULL, count, &numbers[i]);
    for (int i = 0; i < argc; ++i)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
