/* As level_getter_ok.c, but what the functions return says too little. required: MPI_THREAD_MULTIPLE ways: all */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static int provided;
static int wanted;
static volatile int goes_on;

static int level(void) {
    return wanted;
}

static int has_threads(void) {
    if (provided >= MPI_THREAD_SERIALIZED) return 1;
    return 0;
}

static int is_forced(void) {
    if (provided == MPI_THREAD_MULTIPLE) return 1;
    if (wanted > 0) return 1;
    return 0;
}

static void* receive_by_level(void* argument) {
    int flag;
    while (goes_on)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

static void* receive_by_flag(void* argument) {
    int flag;
    while (goes_on)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

static void* receive_by_force(void* argument) {
    int flag;
    while (goes_on)
        MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

static void beside(void* (*receive)(void*), int value) {
    pthread_t thread;
    pthread_create(&thread, NULL, receive, NULL);
    MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    goes_on = 0;
    pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    wanted = argc > 1 ? atoi(argv[1]) : 0;
    if (level() == MPI_THREAD_MULTIPLE) beside(receive_by_level, 1);
    if (has_threads()) beside(receive_by_flag, 2);
    if (is_forced() == 1) beside(receive_by_force, 3);
    MPI_Finalize();
    return 0;
}
