/* A window is locked by its own process in front of what it exposes, by another one behind that.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int other = 1 - rank;
    int *memory, number = 1;
    MPI_Win window;
    MPI_Group all, peer;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &peer);

    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        memory[1] = 3;
        MPI_Win_unlock(1, window);
        MPI_Win_post(peer, 0, window);
        MPI_Win_wait(window);
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Win_start(peer, 0, window);
        MPI_Put(&number, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Win_unlock(1, window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&peer);
    MPI_Win_free(&window);
    return finish();
}
