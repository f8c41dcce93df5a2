/* Each process puts into an element of its own of a window of shared memory, and the target uses
 * the first one meanwhile; then one stores to another one's part between two fences, and locks.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, unit = 0;
    int* mine = NULL;
    int* next = NULL;
    MPI_Aint bytes = 0;
    MPI_Win window;
    MPI_Win_allocate_shared(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &window);
    mine[0] = mine[1] = 0;
    MPI_Win_fence(0, window);
    if (rank != 1) {
        MPI_Put(&value, 1, MPI_INT, 1, 1 + rank, 1, MPI_INT, window);
    } else {
        mine[0] = 5;
    }
    MPI_Win_fence(0, window);
    MPI_Win_shared_query(window, (rank + 1) % 3, &bytes, &unit, &next);
    next[0] = rank;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    if (mine[0] < 0) printf("%d\n", mine[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_unlock(1, window);
    MPI_Win_free(&window);
    return finish();
}
