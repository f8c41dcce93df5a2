/* A nonblocking broadcast over an intercommunicator, of which the root's part and that of
 * its own group are done: the receivers have it, whatever a rank of the root's group does.
 *
 * expect: none
 * ranks: 4
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(behind)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);
    if (rank == 1) {
        compute_until_released();
    }
    int root = rank == 0 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 0;
    MPI_Ibcast(&value, 1, MPI_INT, root, bridge, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);  // @receive
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    } else if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, bridge, MPI_STATUS_IGNORE);  // @behind
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    }
    return finish();
}
