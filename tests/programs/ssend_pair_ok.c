/* A synchronous send to a rank that will receive once it has computed.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Ssend LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);  // @send
    } else {
        compute_until_released();
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &status);
    }
    return finish();
}
