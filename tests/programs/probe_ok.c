/* A rank probes for a message of a rank that computes.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Probe LINE(probe)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Probe(1, 5, MPI_COMM_WORLD, &status);  // @probe
        MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &status);
    } else {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    return finish();
}
