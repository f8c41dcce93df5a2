/* A large gather whose root waits for a message of one of the others, which can't
 * leave the gather before the root takes its data.
 *
 * expect: deadlock
 * on: ch4_ofi_plain unknown
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Gather LINE(gather)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    int* all = calloc(2 * (size_t)kRendezvousInts, sizeof(int));
    const int n = kRendezvousInts;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Gather(data, n, MPI_INT, all, n, MPI_INT, 0, MPI_COMM_WORLD);  // @gather
    if (rank == 1) {
        MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
