/* The thread that initializes MPI is its main thread.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <pthread.h>

static int value;

static void* communicate(void* argument) {
    int provided;
    MPI_Init_thread(0, 0, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, communicate, 0);
    pthread_join(thread, 0);
}
