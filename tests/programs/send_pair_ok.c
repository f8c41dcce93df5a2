/* Two ranks send small messages to each other, then receive: the messages are
 * buffered, so the program ends although it is unsafe.
 *
 * expect: finishes
 * ranks: 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);
    return finish();
}
