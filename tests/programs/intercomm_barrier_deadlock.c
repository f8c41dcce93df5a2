/* A barrier on an intercommunicator that the only rank of the remote group does
 * not enter.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Barrier LINE(barrier)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Barrier LINE(barrier)
 * victim: 1 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Status status;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, &status);  // @receive
    }
    MPI_Barrier(bridge);  // @barrier
    return finish();
}
