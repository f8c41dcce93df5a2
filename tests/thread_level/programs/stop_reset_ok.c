/* A flag that ends threads, and is reset when they are joined: before the next round, and at the end.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kThreads = 3 };

static atomic_int stop;
static atomic_int halt;
static atomic_int quit;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void report(int to) { MPI_Send(0, 0, MPI_INT, to, 0, MPI_COMM_WORLD); }

static void* watch(void* argument) {
    while (!atomic_load(&stop)) {
    }
    report(0);
    return argument;
}

static void* count(void* argument) {
    while (!atomic_load(&halt)) {
    }
    pthread_mutex_lock(&mutex);
    report(1);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void* serve(void* argument) {
    while (!atomic_load(&quit)) {
    }
    report(2);
    return argument;
}

static void run_round(void) {
    pthread_t thread;
    atomic_store(&stop, 0);
    pthread_create(&thread, NULL, watch, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    atomic_store(&stop, 1);
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 10; ++i)
        run_round();
    pthread_t threads[kThreads];
    for (int i = 0; i < kThreads; ++i)
        pthread_create(&threads[i], NULL, count, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    atomic_store(&halt, 1);
    for (int i = 0; i < kThreads; ++i)
        pthread_join(threads[i], NULL);
    atomic_store(&halt, 0);
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    atomic_store(&quit, 1);
    pthread_join(server, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    atomic_store(&quit, 0);
    MPI_Finalize();
    return 0;
}
