/* An array is distributed over a grid of as many processes as there are said to be.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int length = 8, block = MPI_DISTRIBUTE_BLOCK, some = MPI_DISTRIBUTE_DFLT_DARG;
    const int grid = 2, order = MPI_ORDER_C;
    MPI_Datatype part;
    const MPI_Datatype type = MPI_INT;
    MPI_Type_create_darray(2, rank, 1, &length, &block, &some, &grid, order, type, &part);
    MPI_Type_commit(&part);
    MPI_Type_free(&part);
    return finish();
}
