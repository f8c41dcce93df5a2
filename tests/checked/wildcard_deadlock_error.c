/* Rank 0 receives from any source, then from rank 1: if the wildcard takes the message of rank
 * 1, it waits for ever. A token lets the run take the harmless way.
 *
 *   ranks: 3
 *   find: warning | potential hang-up | 0 | MPI_Recv LINE(named)
 *   may: message race
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @named
    } else if (rank == 1) {
        const double until = MPI_Wtime() + 0.2;
        while (MPI_Wtime() < until) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
