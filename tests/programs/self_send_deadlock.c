/* A rank sends synchronously to itself with no receive posted.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0
 * wait: 0 all 0 MPI_Ssend LINE(send)
 * call: 1 MPI_Recv LINE(receive)
 * victim: 1 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);  // @send
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);  // @receive
    return finish();
}
