/* Two ranks have buffered a large message for each other and wait for another
 * one: the buffered sends block nobody, the receives do.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 0 tag 1
 * hint: 1 tag 1
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int* data = large_buffer();
    int bytes = kRendezvousInts * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    MPI_Status status;
    MPI_Buffer_attach(malloc((size_t)bytes), bytes);
    MPI_Bsend(data, kRendezvousInts, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(data, kRendezvousInts, MPI_INT, peer, 2, MPI_COMM_WORLD, &status);  // @receive
    return finish();
}
