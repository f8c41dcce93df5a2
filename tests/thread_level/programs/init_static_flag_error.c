/* A variable that says that MPI is initialized: main asks it on some ways only, so that a thread may
   be the first to do so.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <pthread.h>

static int initialized;

static void ensure(void) {
    int provided;
    if (initialized) return;
    MPI_Init_thread(0, 0, MPI_THREAD_SERIALIZED, &provided); /* expect: mpi-init-in-parallel */
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    initialized = 1;
}

static void* work(void* argument) {
    int* const tag = argument;
    ensure();
    MPI_Send(tag, 1, MPI_INT, 0, *tag, MPI_COMM_WORLD);
    return argument;
}

int main(int argc, char** argv) {
    pthread_t thread;
    int one = 1;
    if (argc > 1) ensure();
    pthread_create(&thread, 0, work, &one);
    pthread_join(thread, 0);
    MPI_Finalize();
    return argv == 0;
}
