/* Rank 1 waits under a lock for a message that rank 0 sends when it has had the same lock, which it is
 * lucky to have had before.
 *
 *   ranks: 2
 *   find: warning | potential deadlock | 0 1 | MPI_Recv LINE(receive)
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = NULL;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    if (rank == 1) usleep(200000);
    int number = 1;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    MPI_Put(&number, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    if (rank == 0) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish();
}
