/* What a file calls under another name that is weak, or has a weak body in another file.
   required: MPI_THREAD_MULTIPLE */
/* file: library.c */
#include <mpi.h>
#include <pthread.h>

static volatile int active;
static pthread_t thread;

static void* progress(void* argument) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

#pragma weak start = library_start
int library_start(void) {
    active = 1;
    return pthread_create(&thread, NULL, progress, NULL); /* expect: mpi-strict-single */
}

__attribute__((weak)) int stop(void) {
    active = 0;
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    return pthread_join(thread, NULL);
}
/* file: main.c */
#include <mpi.h>

int start(void);
int stop(void);

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    start();
    MPI_Barrier(MPI_COMM_WORLD);
    stop();
    MPI_Finalize();
    return 0;
}
