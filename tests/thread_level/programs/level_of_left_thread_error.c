/* As level_of_left_thread_ok.c, but the level is not enough for a second thread that communicates.
   required: MPI_THREAD_MULTIPLE ways: all */
#include <mpi.h>
#include <pthread.h>

static pthread_t thread;
static int is_started;
static volatile int goes_on;

static void* progress(void* argument) {
    int flag;
    while (goes_on)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

static void begin(int* argc, char*** argv) {
    int provided;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided >= MPI_THREAD_SERIALIZED) {
        goes_on = 1;
        is_started = 1;
        pthread_create(&thread, NULL, progress, NULL);
    }
}

static void end(void) {
    if (is_started) {
        goes_on = 0;
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
}

int main(int argc, char** argv) {
    begin(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    end();
    return 0;
}
