/* A wildcard receive on a communicator of two; the rank that computes is not a
 * member, so it can't help.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1
 * running: 2
 * wait: 0 any 1 MPI_Recv LINE(any)
 * wait: 1 all 0 MPI_Recv LINE(named)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &pair);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, pair, &status);  // @any
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, pair, &status);  // @named
    } else {
        compute_until_released();
    }
    return finish();
}
