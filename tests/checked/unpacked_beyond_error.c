/* More is unpacked than the array has in which it arrived.
 *
 *   ranks: 2
 *   find: error | invalid argument | 1 | MPI_Unpack LINE(unpack)
 *   may: wrong data type
 *   may: wrong send size
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[20] = {rank}, at = 0;
    char packed[40];
    const MPI_Comm all = MPI_COMM_WORLD;
    if (rank == 0) {
        MPI_Pack(values, 10, MPI_INT, packed, 40, &at, all);
        MPI_Send(packed, at, MPI_PACKED, 1, 0, all);
    } else if (rank == 1) {
        MPI_Recv(packed, 40, MPI_PACKED, 0, 0, all, MPI_STATUS_IGNORE);
        MPI_Unpack(packed, 80, &at, values, 11, MPI_INT, all);  // @unpack
    }
    return finish();
}
