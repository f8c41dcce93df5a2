/* An intercommunicator is created; the leader of one of the groups waits for a
 * message of the other leader instead.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Intercomm_create LINE(create)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Intercomm_create LINE(create)
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
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);  // @create
    return finish();
}
