/* An array is distributed over a grid of other processes than there are said to be.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Type_create_darray LINE(make)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int length = 8, block = MPI_DISTRIBUTE_BLOCK, some = MPI_DISTRIBUTE_DFLT_DARG;
    const int grid = 3, order = MPI_ORDER_C;
    MPI_Datatype part;
    const MPI_Datatype type = MPI_INT;
    MPI_Type_create_darray(2, rank, 1, &length, &block, &some, &grid, order, type, &part);  // @make
    MPI_Type_commit(&part);
    MPI_Type_free(&part);
    return finish();
}
