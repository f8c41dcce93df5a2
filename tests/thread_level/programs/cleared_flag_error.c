/* As cleared_flag_ok.c, but the flag may be true at other levels, too.
   required: MPI_THREAD_MULTIPLE ways: all */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
    int on_other_ways;
    int set_behind;
} state;
static int for_less;
static volatile int active;
static pthread_t thread;

static void* progress(void* argument) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    return argument;
}

/* Where there is one argument, it is not cleared. */
static void on_other_ways(int count) {
    int level;
    MPI_Query_thread(&level);
    state.on_other_ways = getenv("PROGRESS") != NULL;
    if (count > 1 && level != MPI_THREAD_MULTIPLE) state.on_other_ways = 0;
    if (state.on_other_ways) pthread_create(&thread, NULL, progress, NULL); /* expect: mpi-strict-single */
    MPI_Barrier(MPI_COMM_WORLD);
    if (state.on_other_ways) pthread_join(thread, NULL);
}

static void set_behind(void) {
    int level;
    MPI_Query_thread(&level);
    if (level != MPI_THREAD_MULTIPLE) state.set_behind = 0;
    state.set_behind = getenv("PROGRESS") != NULL;
    if (state.set_behind) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    if (state.set_behind) pthread_join(thread, NULL);
}

static void for_less_than_needed(void) {
    int level;
    MPI_Query_thread(&level);
    for_less = getenv("PROGRESS") != NULL;
    if (level < MPI_THREAD_FUNNELED) for_less = 0;
    if (for_less) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    if (for_less) pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    on_other_ways(argc);
    set_behind();
    for_less_than_needed();
    MPI_Finalize();
    return 0;
}
