/* A broadcast whose members disagree on the root: each waits for the other.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Bcast LINE(broadcast)
 * wait: 1 all 0 MPI_Bcast LINE(broadcast)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, 1 - rank, MPI_COMM_WORLD);  // @broadcast
    return finish();
}
