/* Rank 0 packs what it has room for.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char packed[64];
    int numbers[4] = {0}, position = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0)
        MPI_Pack(numbers, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
    return finish();
}
