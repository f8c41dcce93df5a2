/* Integers are packed and gathered, and unpacked as integers.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    char piece[8], all[16];
    int position = 0, numbers[2] = {rank, rank};
    MPI_Pack(numbers, 2, MPI_INT, piece, 8, &position, MPI_COMM_WORLD);
    MPI_Gather(piece, 8, MPI_PACKED, all, 8, MPI_PACKED, 0, MPI_COMM_WORLD);
    for (int from = 0; rank == 0 && from < 2; ++from) {
        int values[2];
        position = 0;
        MPI_Unpack(all + 8 * from, 8, &position, values, 2, MPI_INT, MPI_COMM_WORLD);
    }
    return finish();
}
