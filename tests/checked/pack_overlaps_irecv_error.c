/* Rank 0 packs the buffer of a receive that is pending.
 * 
 *   ranks: 2
 *   find: error | overlapping | 0 | MPI_Pack LINE(pack)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Request request;
    char packed[64];
    int numbers[4] = {0}, position = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Irecv(numbers, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Pack(numbers, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);  // @pack
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(numbers, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
