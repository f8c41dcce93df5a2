/* All ask for the same square, and for its rows; what is true has other numbers.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int sizes[2] = {2, 2}, periods[2] = {0, rank + 1}, kept[2] = {0, 4 - rank};
    MPI_Comm grid, row;
    MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
    MPI_Cart_sub(grid, kept, &row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    return finish();
}
