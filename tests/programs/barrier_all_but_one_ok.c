/* All ranks but one have entered a barrier; the last one receives a message that
 * was sent before.
 *
 * expect: finishes
 * ranks: 4
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    } else if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
