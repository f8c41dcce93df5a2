/* A matched probe takes the message, and nobody receives it.
 *
 *   ranks: 2
 *   find: error | nonpaired send | 0 1 | MPI_Send LINE(send)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Message message;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    }
    return finish();
}
