/* A process puts behind an MPI_Neighbor_allgather what a neighbour has put before it.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

enum { kFirst = 0, kSecond = 1 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int ends[1] = {4}, round[1] = {1};
    int *memory, ranks[2];
    MPI_Comm ring;
    MPI_Win window;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ends, round, 0, &ring);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == kFirst) {
        MPI_Put(&rank, 1, MPI_INT, 3, 0, 1, MPI_INT, window);
        MPI_Win_flush(3, window);
    }
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, ranks, 1, MPI_INT, ring);
    if (rank == kSecond) MPI_Put(&rank, 1, MPI_INT, 3, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&ring);
    return finish();
}
