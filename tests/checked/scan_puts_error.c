/* A process puts behind an MPI_Scan what one with a higher rank has put before it: that one's data does
 * not go to the first.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 2 | MPI_Put LINE(before)
 */
#include "tests/checked/checked.h"

enum { kFirst = 2, kSecond = 0 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == kFirst) {
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);  // @before
        MPI_Win_flush(1, window);
    }
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == kSecond) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
