/* Two ranks buffer a large message for each other, then receive.
 *
 * expect: finishes
 * ranks: 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int* data = large_buffer();
    int bytes = kRendezvousInts * (int)sizeof(int) + MPI_BSEND_OVERHEAD;
    void* buffer = malloc((size_t)bytes);
    MPI_Status status;
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(data, kRendezvousInts, MPI_INT, peer, 1, MPI_COMM_WORLD);
    MPI_Recv(data, kRendezvousInts, MPI_INT, peer, 1, MPI_COMM_WORLD, &status);
    MPI_Buffer_detach(&buffer, &bytes);
    return finish();
}
