/* What rank 0 has packed is received, and what is broadcast unpacked, as what it is.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char packed[64] = {0};
    int counts[2] = {2, 3}, position = 0;
    if (rank == 0) {
        MPI_Pack(counts, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Pack(counts + 1, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(counts, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Bcast(packed, 8, MPI_PACKED, 0, MPI_COMM_WORLD);
    position = 0;
    if (rank == 1) MPI_Unpack(packed, 8, &position, counts, 2, MPI_INT, MPI_COMM_WORLD);
    return finish();
}
