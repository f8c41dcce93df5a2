/* The root of a large broadcast can't leave before the other rank enters it, which
 * waits for a message of the root.
 *
 * expect: deadlock
 * on: ch4_ofi_plain unknown
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Bcast LINE(broadcast)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    MPI_Status status;
    if (rank == 1) {
        MPI_Recv(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Bcast(data, kRendezvousInts, MPI_INT, 0, MPI_COMM_WORLD);  // @broadcast
    if (rank == 0) {
        MPI_Send(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    return finish();
}
