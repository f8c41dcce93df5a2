/* A periodic ring of MPI_Cart_shift neighbours, all of which send a large halo
 * before they receive.
 *
 * expect: deadlock
 * ranks: 4
 * core: 0 1 2 3
 * wait: 0 all 1 MPI_Send LINE(send)
 * wait: 1 all 2 MPI_Send LINE(send)
 * wait: 2 all 3 MPI_Send LINE(send)
 * wait: 3 all 0 MPI_Send LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int* halo = large_buffer();
    int size = world_size();
    int periodic = 1;
    int source = 0;
    int destination = 0;
    MPI_Comm ring;
    MPI_Status status;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    MPI_Cart_shift(ring, 0, 1, &source, &destination);
    MPI_Send(halo, kRendezvousInts, MPI_INT, destination, 0, ring);  // @send
    MPI_Recv(halo, kRendezvousInts, MPI_INT, source, 0, ring, &status);
    return finish();
}
