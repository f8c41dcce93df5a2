/* A nonblocking barrier over an intercommunicator: a rank of one group has not started it,
 * and waits for a message of a rank of the other group.
 *
 * expect: deadlock
 * ranks: 4
 * core: 1 2
 * wait: 1 all 2 MPI_Recv LINE(receive)
 * wait: 2 all 1 MPI_Wait LINE(wait)
 * call: 3 MPI_Wait LINE(wait)
 * victim: 0 1
 * victim: 3 1
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
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);  // @receive
    }
    MPI_Ibarrier(bridge, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, bridge);
    }
    return finish();
}
