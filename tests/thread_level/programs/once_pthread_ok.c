/* What pthread_once calls has been called by main before it starts a thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialize(void) {
    int provided;
    MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
}

static void* work(void* argument) {
    int* const tag = argument;
    pthread_once(&once, initialize);
    MPI_Send(tag, 1, MPI_INT, 0, *tag, MPI_COMM_WORLD);
    return argument;
}

int main(void) {
    pthread_t thread;
    int one = 1;
    pthread_once(&once, initialize);
    pthread_create(&thread, 0, work, &one);
    MPI_Send(&one, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    pthread_join(thread, 0);
    MPI_Finalize();
}
