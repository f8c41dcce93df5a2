/* What rank 0 has packed is received, and what is broadcast unpacked, as something else.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Recv LINE(receive)
 *   find: error | wrong data type | 0 1 | MPI_Unpack LINE(unpack)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char packed[64] = {0};
    int counts[2] = {2, 3}, position = 0;
    float numbers[2] = {1, 2};
    if (rank == 0) {
        MPI_Pack(counts, 2, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(numbers, 2, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    MPI_Bcast(packed, 8, MPI_PACKED, 0, MPI_COMM_WORLD);
    position = 0;
    if (rank == 1)
        MPI_Unpack(packed, 8, &position, numbers, 2, MPI_FLOAT, MPI_COMM_WORLD);  // @unpack
    return finish();
}
