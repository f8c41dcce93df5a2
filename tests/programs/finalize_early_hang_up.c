/* A rank has called MPI_Finalize; another one still waits for its message, and a
 * third one waits for that one.
 *
 * expect: hang_up
 * on: ch3_sock ends 1
 * ranks: 3
 * core: 0
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(behind)
 * victim: 2 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    } else if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @behind
    }
    return finish();
}
