/* A thread calls three functions in a ring; MPI is called in the one that is farthest from where it
   enters.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static int word;
static void second(void);
static void third(void);

static void first(void) {
    if (word < 6) second();
}
static void second(void) {
    if (word < 5) third();
}
static void third(void) {
    MPI_Recv(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    if (word == 2) first();
}

static void* serve(void* unused) {
    first();
    return unused;
}

int main(int argc, char** argv) {
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&thread, 0, serve, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
