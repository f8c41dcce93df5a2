/* A receive from any source while the process holds a lock, and one that waits for the lock sends
 * before the end of its epoch: its message may come first, and then the other receive has none.
 *
 *   ranks: 3
 *   find: warning | message race | 0 1 2 | MPI_Recv LINE(any)
 *   find: warning | potential deadlock | 0 1 2 | MPI_Recv LINE(named)
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, shown = 0;
    MPI_Win window;
    MPI_Win_create(&shown, sizeof shown, sizeof shown, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @any
        MPI_Win_unlock(0, window);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @named
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(200000);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Win_unlock(0, window);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    return finish();
}
