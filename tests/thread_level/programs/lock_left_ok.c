/* A function that keeps its lock on an error only; its caller takes it again.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int count = -1;

static int set_up(int threads) {
    if (count != threads) {
        pthread_mutex_lock(&lock);
        if (count != threads) {
            const int error = pthread_barrier_init(&barrier, 0, threads);
            if (error) return error;
            count = threads;
        }
        pthread_mutex_unlock(&lock);
    }
    return pthread_barrier_wait(&barrier);
}

static void* work(void* number) {
    int word = 0;
    set_up(4);
    pthread_mutex_lock(&lock);
    MPI_Send(&word, 1, MPI_INT, 0, (int)(long)number, MPI_COMM_WORLD);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, (void*)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
    MPI_Finalize();
    return 0;
}
