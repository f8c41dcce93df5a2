/* A receive from any source with a tag that only one process uses, and one that names the other.
 *
 *   ranks: 3
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1) usleep(300000);
        MPI_Send(&value, 1, MPI_INT, 0, rank, MPI_COMM_WORLD);
    }
    return finish();
}
