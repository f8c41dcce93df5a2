/* A flag that ends a thread, and is reset before that is joined: it may have found it, and call MPI
   still.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stop;
static atomic_int quit;

static void report(int to) { MPI_Send(0, 0, MPI_INT, to, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */ }

static void* watch(void* argument) {
    while (!atomic_load(&stop)) {
    }
    report(0);
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
    pthread_create(&thread, NULL, watch, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    atomic_store(&stop, 1);
    atomic_store(&stop, 0);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 10; ++i)
        run_round();
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    atomic_store(&quit, 1);
    atomic_store(&quit, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(server, NULL);
    MPI_Finalize();
    return 0;
}
