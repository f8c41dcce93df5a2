/* Two ranks send synchronously to each other before they receive.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Ssend LINE(send)
 * wait: 1 all 0 MPI_Ssend LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    MPI_Ssend(&value, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);  // @send
    MPI_Recv(&value, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, &status);
    return finish();
}
