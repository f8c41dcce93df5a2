/* Barriers on two duplicates of one communicator, entered in different order.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Barrier LINE(barrier)
 * wait: 1 all 0 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm both[2];
    MPI_Comm_dup(MPI_COMM_WORLD, &both[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &both[1]);
    MPI_Comm_set_name(both[0], "physics");
    MPI_Comm_set_name(both[1], "output");
    MPI_Barrier(both[rank]);  // @barrier
    MPI_Barrier(both[1 - rank]);
    return finish();
}
