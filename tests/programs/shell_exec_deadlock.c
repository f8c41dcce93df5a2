/* Each rank is started by a shell that replaces itself with the program.
 *
 * expect: deadlock
 * ranks: 2
 * launch: sh | -c | exec {}
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, &status);  // @receive
    MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    return finish();
}
