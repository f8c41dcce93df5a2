/* Rank 1 matches a message and never receives it.
 * 
 *   ranks: 2
 *   find: error | unfinished recv | 1 | MPI_Mprobe LINE(probe)
 *   may: nonpaired send
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Message message;
    int value = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);  // @probe
    }
    return finish();
}
