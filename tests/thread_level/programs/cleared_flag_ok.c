/* A flag that is cleared where MPI provides less than what a second thread needs: where it is true,
   the level is there. required: MPI_THREAD_SINGLE ways: all */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
    int progress_thread;
} state;
static int is_asked_for;
static volatile int active;
static pthread_t thread;

static void* progress(void* argument) {
    int flag;
    while (active)
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return argument;
}

static void by_member(void) {
    int level;
    MPI_Query_thread(&level);
    state.progress_thread = getenv("PROGRESS") != NULL;
    if (state.progress_thread && level != MPI_THREAD_MULTIPLE) state.progress_thread = 0;
    if (state.progress_thread) {
        active = 1;
        pthread_create(&thread, NULL, progress, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (state.progress_thread) {
        active = 0;
        pthread_join(thread, NULL);
    }
}

static void by_static_variable(void) {
    int level;
    is_asked_for = getenv("PROGRESS") != NULL;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE) is_asked_for = 0;
    if (is_asked_for) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_asked_for) pthread_join(thread, NULL);
}

static void by_local_variable(int wanted) {
    int level;
    MPI_Query_thread(&level);
    int is_wanted = wanted > 1;
    if (is_wanted && level < MPI_THREAD_MULTIPLE) is_wanted = 0;
    if (is_wanted) pthread_create(&thread, NULL, progress, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_wanted) pthread_join(thread, NULL);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    by_member();
    by_static_variable();
    by_local_variable(argc);
    MPI_Finalize();
    return 0;
}
