/* A lock that is taken at the lower levels only keeps nobody apart where threads may call MPI, one
   at a time.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

enum { kThreads = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void enter(void) {
    if (level < MPI_THREAD_SERIALIZED) pthread_mutex_lock(&mutex);
}

static void leave(void) {
    if (level < MPI_THREAD_SERIALIZED) pthread_mutex_unlock(&mutex);
}

static void* run(void* argument) {
    int value = *(int*)argument;
    if (level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED) pthread_mutex_lock(&mutex);
    MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    if (level == MPI_THREAD_SINGLE || level == MPI_THREAD_FUNNELED) pthread_mutex_unlock(&mutex);
    return NULL;
}

static void* run_too(void* argument) {
    int value = *(int*)argument;
    enter();
    MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    leave();
    return NULL;
}

static void start(void* (*function)(void*)) {
    int numbers[kThreads];
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, function, &numbers[i]);
    }
    for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
}

int main(int argc, char** argv) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    start(run);
    start(run_too);
    MPI_Finalize();
}
