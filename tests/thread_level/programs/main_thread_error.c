/* The thread that executes main() is not MPI's main thread.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static int value;

static void* communicate(void* argument) {
    int provided;
    MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, communicate, 0);
    pthread_join(thread, 0);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    MPI_Finalize(); /* expect: mpi-finalize */
}
