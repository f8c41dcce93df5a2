/* A broadcast from rank 0 over an intercommunicator that the root does not enter:
 * it waits for a rank of the remote group.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Bcast LINE(broadcast)
 * call: 1 MPI_Recv LINE(behind)
 * victim: 1 0
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
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, &status);  // @receive
        MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, bridge);
    } else if (rank == 1) {
        MPI_Bcast(&value, 1, MPI_INT, MPI_PROC_NULL, bridge);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, group, &status);  // @behind
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 0, bridge);  // @broadcast
    }
    return finish();
}
