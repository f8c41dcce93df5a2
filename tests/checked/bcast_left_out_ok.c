/* All members broadcast before they free the communicator.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm row;
    int value = rank;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &row);
    MPI_Bcast(&value, 1, MPI_INT, 0, row);
    MPI_Comm_free(&row);
    return finish();
}
