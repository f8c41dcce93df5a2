/* A wildcard receive whose possible senders all wait for the receiver.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 any 1,2 MPI_Recv LINE(any)
 * wait: 1 all 0 MPI_Recv LINE(named)
 * wait: 2 all 0 MPI_Recv LINE(named)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);  // @any
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @named
    }
    return finish();
}
