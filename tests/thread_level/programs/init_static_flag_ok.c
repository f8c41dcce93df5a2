/* A variable says that MPI is initialized, which main has done before there are threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static int initialized;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void ensure(void) {
    int provided;
    if (initialized) return;
    MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    initialized = 1;
}

static void finish(void) {
    if (initialized) {
        MPI_Finalize();
        initialized = 0;
    }
}

static void* work(void* argument) {
    int* const tag = argument;
    ensure();
    MPI_Send(tag, 1, MPI_INT, 0, *tag, MPI_COMM_WORLD);
    return argument;
}

static void* work_locked(void* argument) {
    int* const tag = argument;
    pthread_mutex_lock(&mutex);
    ensure();
    pthread_mutex_unlock(&mutex);
    MPI_Send(tag, 1, MPI_INT, 0, *tag, MPI_COMM_WORLD);
    return argument;
}

int main(void) {
    pthread_t first, second;
    int one = 1, two = 2;
    ensure();
    pthread_create(&first, 0, work, &one);
    pthread_create(&second, 0, work_locked, &two);
    MPI_Send(&one, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    pthread_join(first, 0);
    pthread_join(second, 0);
    finish();
}
