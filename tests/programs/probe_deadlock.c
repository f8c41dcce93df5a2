/* A rank probes for a message of a rank that waits for it.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Probe LINE(probe)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 0 tag 4
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Probe(1, 5, MPI_COMM_WORLD, &status);  // @probe
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
