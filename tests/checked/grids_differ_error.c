/* Rank 1 asks for a row of processes, the others for a square.
 *
 *   ranks: 4
 *   find: error | invalid argument | 0 1 2 3 | MPI_Cart_create LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int sizes[2] = {rank == 1 ? 4 : 2, rank == 1 ? 1 : 2}, periods[2] = {0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);  // @create
    MPI_Comm_free(&grid);
    return finish();
}
