/* A broadcast over an intercommunicator whose root is late.
 *
 * expect: none
 * ranks: 3
 * running: 0
 * call: 1 MPI_Recv LINE(behind)
 * call: 2 MPI_Bcast LINE(broadcast)
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
        compute_until_released();
        MPI_Bcast(&value, 1, MPI_INT, MPI_ROOT, bridge);
        MPI_Send(&value, 1, MPI_INT, 1, 0, group);
    } else if (rank == 1) {
        MPI_Bcast(&value, 1, MPI_INT, MPI_PROC_NULL, bridge);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, group, &status);  // @behind
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 0, bridge);  // @broadcast
    }
    return finish();
}
