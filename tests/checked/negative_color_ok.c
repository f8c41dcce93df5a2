/* Rank 1 takes no part in what MPI_Comm_split makes.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Comm part;
    const int rank = start(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &part);
    if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
    return finish();
}
