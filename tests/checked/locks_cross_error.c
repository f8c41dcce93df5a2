/* Each rank holds the lock of its own part and wants that of the other.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Win_flush LINE(flush)
 *   may: incomplete call
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, value = rank;
    MPI_Win window;
    MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    MPI_Put(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
    MPI_Win_flush(rank, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1 - rank, 0, window);
    MPI_Put(&value, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, window);
    MPI_Win_flush(1 - rank, window);  // @flush
    MPI_Win_unlock(1 - rank, window);
    MPI_Win_unlock(rank, window);
    MPI_Win_free(&window);
    return finish();
}
