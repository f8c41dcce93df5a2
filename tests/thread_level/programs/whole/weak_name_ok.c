/* As weak_name_error.c, but the program has bodies of its own, which count.
   required: MPI_THREAD_SINGLE */
/* file: library.c */
#include <mpi.h>
#include <pthread.h>

static volatile int active;
static pthread_t thread;

static void* progress(void* argument) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return argument;
}

#pragma weak start = library_start
int library_start(void) {
    active = 1;
    return pthread_create(&thread, NULL, progress, NULL);
}

__attribute__((weak)) int stop(void) {
    active = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return pthread_join(thread, NULL);
}
/* file: main.c */
#include <mpi.h>

int start(void) {
    return 0;
}

int stop(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    start();
    MPI_Barrier(MPI_COMM_WORLD);
    stop();
    MPI_Finalize();
    return 0;
}
