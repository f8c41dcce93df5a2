/* The root broadcasts integers, rank 1 expects floats.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Bcast LINE(bcast)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    float other[4] = {0};
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(other, 4, MPI_FLOAT, 0, MPI_COMM_WORLD);  // @bcast
    return finish();
}
