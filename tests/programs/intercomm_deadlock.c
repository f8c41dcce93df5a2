/* Two groups of two, joined by an intercommunicator, on which ranks count in the
 * remote group: world ranks 0 and 2 wait for each other.
 *
 * expect: deadlock
 * ranks: 4
 * core: 0 2
 * wait: 0 all 2 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(second)
 * call: 3 MPI_Ssend LINE(send)
 * victim: 1 3 0
 * victim: 3 0
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
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, &status);  // @receive
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, bridge, &status);  // @second
    } else {
        MPI_Ssend(&value, 1, MPI_INT, 0, 5, bridge);  // @send
    }
    return finish();
}
