/* Threads that never call MPI load from a window and store to it, where others put in the same epoch
 * of MPI_Win_fence: one that is there all the time, and one that starts in the epoch.
 *
 *   ranks: 2
 *   watchpoints
 *   find: error | RMA conflict | 0 1 | LINE(store)
 *   find: error | RMA conflict | 0 1 | LINE(load)
 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/checked/checked.h"

static int* memory;
static int sum;
static atomic_int step;

static void wait_for(int wanted) {
    while (atomic_load(&step) < wanted)
        sched_yield();
}

static void* stay(void* nothing) {
    wait_for(1);
    memory[0] = 17;  // @store
    atomic_store(&step, 2);
    return nothing;
}

static void* load(void* nothing) {
    sum += memory[0];  // @load
    return nothing;
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    int value = 5;
    MPI_Win window;
    pthread_t there, new;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&there, NULL, stay, NULL);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;

    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    if (rank == 1) {
        atomic_store(&step, 1);
        wait_for(2);
    }
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    if (rank == 1) {
        pthread_create(&new, NULL, load, NULL);
        pthread_join(new, NULL);
    }
    MPI_Win_fence(0, window);

    atomic_store(&step, 1);
    pthread_join(there, NULL);
    MPI_Win_free(&window);
    if (sum < 0) puts("never");
    return finish();
}
