/* Rank 1 stores to its window under a lock, when a barrier has ended the others' operations, and
 * when a message or what it has loaded over and over says that they are over.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static int memory[4], value = 5;

static void put(int place, int lock, MPI_Win window) {
    MPI_Win_lock(lock, 1, 0, window);
    MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, window);
    MPI_Win_unlock(1, window);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        put(0, MPI_LOCK_EXCLUSIVE, window);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        memory[0] = 8;
        MPI_Win_unlock(1, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    memory[0] = 9;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        put(1, MPI_LOCK_EXCLUSIVE, window);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memory[1] = 7;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        put(2, MPI_LOCK_SHARED, window);
        put(3, MPI_LOCK_SHARED, window);
    } else {
        MPI_Win_lock_all(0, window);
        for (int any = 0; *(volatile int*)&memory[3] == 0; MPI_Win_sync(window))
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
        memory[2] = 7;
        MPI_Win_unlock_all(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish();
}
