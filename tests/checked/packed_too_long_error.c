/* Rank 0 packs more than it has room for; what is behind that room is its own.
 * 
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Pack LINE(pack)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char packed[64];
    int numbers[4] = {0}, position = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0)
        MPI_Pack(numbers, 4, MPI_INT, packed, 8, &position, MPI_COMM_WORLD);  // @pack
    return finish();
}
