/* A nonblocking broadcast over an intercommunicator that its root has not started: it
 * waits for a message of a rank of the other group. A rank of the root's own group, which
 * has no part in it, is done.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Wait LINE(wait)
 * call: 1 MPI_Recv LINE(behind)
 * victim: 1 0
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
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);  // @receive
    }
    int root = rank == 0 ? MPI_ROOT : rank == 1 ? MPI_PROC_NULL : 0;
    MPI_Ibcast(&value, 1, MPI_INT, root, bridge, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, group, MPI_STATUS_IGNORE);  // @behind
    }
    if (rank == 2) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    }
    return finish();
}
