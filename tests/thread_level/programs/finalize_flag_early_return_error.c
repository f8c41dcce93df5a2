/* Who ends MPI waits for a detached thread if a variable says so that is not set wherever there is
   one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static MPI_Comm comm;
static volatile int done, started;

static void* progress(void* argument) {
    MPI_Recv(0, 0, MPI_CHAR, 0, 9, comm, MPI_STATUS_IGNORE); /* expect: mpi-finalize */
    done = 1;
    return argument;
}

static void stop(void) {
    if (!started) return;
    MPI_Send(0, 0, MPI_CHAR, 0, 9, comm);
    while (!done) {
    }
}

int main(int argc, char** argv) {
    pthread_t thread;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    pthread_create(&thread, 0, progress, 0);
    pthread_detach(thread);
    if (getenv("PROGRESS") != 0) started = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    stop();
    MPI_Finalize();
}
