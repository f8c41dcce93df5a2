/* What is packed is longer than the block of the heap that it is packed into. What lies behind it
 * is spoilt, so that the process may crash.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Pack LINE(pack)
 *   may: abort
 */
#include <stdlib.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static double values[4000];
    const int rank = start(&argc, &argv);
    int at = 0;
    if (rank == 0) {
        char* packed = malloc(1000);
        MPI_Pack(values, 4000, MPI_DOUBLE, packed, sizeof values, &at, MPI_COMM_WORLD);  // @pack
        MPI_Send(packed, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
        free(packed);
    } else if (rank == 1) {
        char* packed = malloc(sizeof values);
        MPI_Recv(packed, sizeof values, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(packed, sizeof values, &at, values, 4000, MPI_DOUBLE, MPI_COMM_WORLD);
        free(packed);
    }
    return finish();
}
