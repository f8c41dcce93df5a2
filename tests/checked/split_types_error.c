/* The processes want to be split by different types, and wait for each other.
 *
 *   ranks: 2
 *   stuck
 *   find: error | invalid argument | 0 1 | MPI_Comm_split_type LINE(split)
 *   may: incomplete call
 *   may: unfinished gop
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int type = rank == 0 ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED;
    MPI_Comm part;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);  // @split
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    return finish();
}
