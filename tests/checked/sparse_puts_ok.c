/* A process puts behind an MPI_Alltoallv what another one has put before it, which sends it something
 * there.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

enum { kFirst = 0, kSecond = 1, kSender = 0, kReceiver = 1 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int places[3] = {0, 1, 2};
    int sent[3] = {0}, received[3] = {0}, counts[3] = {0}, expected[3] = {0};
    int* memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_lock_all(0, window);
    if (rank == kFirst) {
        MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_flush(2, window);
    }
    if (rank == kSender) counts[kReceiver] = 1;
    if (rank == kReceiver) expected[kSender] = 1;
    MPI_Alltoallv(sent, counts, places, MPI_INT, received, expected, places, MPI_INT, MPI_COMM_WORLD);
    if (rank == kSecond) MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return finish();
}
