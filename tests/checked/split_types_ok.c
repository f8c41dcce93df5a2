/* One type, or none.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int type = rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED;
    MPI_Comm part;
    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, MPI_INFO_NULL, &part);
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &part);
    MPI_Comm_free(&part);
    return finish();
}
