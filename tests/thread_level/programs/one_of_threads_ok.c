/* What one thread does: the first that comes, the last one, MPI's main thread.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int arrived, value;

static void first(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void* all(void* unused) {
    int is_last = 0;
    pthread_once(&once, first);
    pthread_barrier_wait(&barrier);
    pthread_mutex_lock(&lock);
    if (++arrived == 4) is_last = 1;
    pthread_mutex_unlock(&lock);
    if (is_last) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return unused;
}

static void communicate(void) {
    int is_main;
    MPI_Is_thread_main(&is_main);
    if (is_main) MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
}

static void* other(void* unused) {
    communicate();
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t threads[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_barrier_init(&barrier, NULL, 4);
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, all, NULL);
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
    pthread_create(&threads[0], NULL, other, NULL);
    communicate();
    pthread_join(threads[0], NULL);
    MPI_Finalize();
    return 0;
}
