/* A wildcard receive on an intercommunicator: only the remote group can send, and
 * one rank of it computes.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(local)
 * call: 2 MPI_Recv LINE(receive)
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
    if (rank % 2 == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, bridge, &status);  // @receive
        if (rank == 0) {
            MPI_Send(&value, 1, MPI_INT, 1, 0, group);
        }
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, group, &status);  // @local
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    } else {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    }
    return finish();
}
