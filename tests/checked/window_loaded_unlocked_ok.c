/* Rank 1 waits for what rank 0 puts into its window by loading it over and over: at once, with
 * pauses, with locks, and with MPI_Win_sync in an epoch of its own. Then it loads under a lock, and
 * behind a barrier.
 *
 *   ranks: 2
 */
#include <unistd.h>

#include "tests/checked/checked.h"

enum { kWays = 4 };

static void wait_for(volatile int* flag, int way, MPI_Win window) {
    int any;
    // Also if it is there at once.
    for (int looks = 0; *flag != 1 || looks < 3; ++looks) {
        if (way == 1) usleep(1000);
        if (way == 2) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Win_unlock(1, window);
        }
        if (way == 3) MPI_Win_sync(window);
        // MPI libraries may need it to get on.
        if (looks > 3) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one = 1;
    int *memory, sum = 0;
    MPI_Win window;
    MPI_Win_allocate(
        kWays * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int way = 0; way < kWays; ++way)
        memory[way] = 0;
    for (int way = 0; way < kWays; ++way) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
            MPI_Put(&one, 1, MPI_INT, 1, way, 1, MPI_INT, window);
            MPI_Win_unlock(1, window);
        } else {
            if (way == 3) MPI_Win_lock_all(0, window);
            wait_for(memory + way, way, window);
            if (way == 3) MPI_Win_unlock_all(window);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        sum = memory[1];
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        sum += memory[0];
        MPI_Win_unlock(1, window);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
    }
    MPI_Win_free(&window);
    return finish() + (sum < 0);
}
