/* Each rank is started by a shell that replaces itself with the program; one
 * computes.
 *
 * expect: none
 * ranks: 2
 * launch: sh | -c | exec {}
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    } else {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
