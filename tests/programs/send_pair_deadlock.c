/* Two ranks send more than fits an eager message to each other, then receive.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Send LINE(send)
 * wait: 1 all 0 MPI_Send LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int* data = large_buffer();
    MPI_Status status;
    MPI_Send(data, kRendezvousInts, MPI_INT, peer, 0, MPI_COMM_WORLD);  // @send
    MPI_Recv(data, kRendezvousInts, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
    return finish();
}
