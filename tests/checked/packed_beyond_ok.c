/* What is packed fits into the block of the heap that it is packed into, whatever the call says of
 * its length.
 *
 *   ranks: 2
 */
#include <stdlib.h>

#include "tests/checked/checked.h"

enum { kCount = 4000, kBytes = 8 * kCount + 4 };

int main(int argc, char** argv) {
    static double values[kCount];
    const int rank = start(&argc, &argv);
    int at = 0, number = rank;
    char* packed = malloc(kBytes);
    if (rank == 0) {
        MPI_Pack(&number, 1, MPI_INT, packed, kBytes, &at, MPI_COMM_WORLD);
        MPI_Pack(values, kCount, MPI_DOUBLE, packed, 2 * kBytes, &at, MPI_COMM_WORLD);
        MPI_Send(packed, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(packed, kBytes, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(packed, kBytes, &at, &number, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(packed, 2 * kBytes, &at, values, kCount, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    free(packed);
    return finish();
}
