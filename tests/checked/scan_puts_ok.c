/* A process puts behind an MPI_Scan what one with a lower rank has put before it: that one's data goes
 * to the second.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

enum { kFirst = 0, kSecond = 2 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, sum = 0;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == kFirst) {
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
    }
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == kSecond) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
