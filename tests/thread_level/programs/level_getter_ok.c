/* Functions return the provided level, or what they make of it. required: MPI_THREAD_SINGLE ways: all */
#include <mpi.h>
#include <pthread.h>

static int provided;
static volatile int goes_on;

static int level(void) {
    return provided;
}

static int has_threads(void) {
    if (provided == MPI_THREAD_MULTIPLE) return 1;
    return 0;
}

static void* receive(void* argument) {
    int flag;
    while (goes_on) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return argument;
}

static void by_level(void) {
    pthread_t thread;
    if (level() == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, receive, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        goes_on = 0;
        pthread_join(thread, NULL);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void by_flag(void) {
    pthread_t thread;
    switch (has_threads()) {
        case 1:
            pthread_create(&thread, NULL, receive, NULL);
            MPI_Barrier(MPI_COMM_WORLD);
            goes_on = 0;
            pthread_join(thread, NULL);
            break;
        default:
            MPI_Barrier(MPI_COMM_WORLD);
            break;
    }
}

int main(void) {
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    by_level();
    by_flag();
    MPI_Finalize();
    return 0;
}
