/* A receive from any source takes the message that a later receive names: the order was left to
 * chance, and it is the wrong one.
 *
 *   ranks: 3
 *   stuck
 *   find: error | real hang-up | 0 | MPI_Recv LINE(named)
 *   find: warning | message race | 0 1 2 | MPI_Recv LINE(any)
 *   may: abort
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @any
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @named
    } else {
        if (rank == 1) usleep(300000);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
