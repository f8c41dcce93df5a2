/* All ranks give MPI_Comm_split a negative color that is not MPI_UNDEFINED; the library does not mind.
 * 
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Comm_split LINE(split)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Comm part;
    const int rank = start(&argc, &argv);
    MPI_Comm_split(MPI_COMM_WORLD, -7, rank, &part);  // @split
    MPI_Comm_free(&part);
    return finish();
}
