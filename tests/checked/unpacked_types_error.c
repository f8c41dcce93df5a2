/* Rank 0 packs an integer and two numbers; rank 1 takes a number out first.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Unpack LINE(number)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char packed[64] = {0};
    int count = 2, position = 0;
    float numbers[2] = {1, 2};
    if (rank == 0) {
        MPI_Pack(&count, 1, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Pack(numbers, 2, MPI_FLOAT, packed, sizeof packed, &position, MPI_COMM_WORLD);
        MPI_Send(packed, position, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(packed, sizeof packed, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(packed, sizeof packed, &position, numbers, 1, MPI_FLOAT, MPI_COMM_WORLD);  // @number
    }
    return finish();
}
