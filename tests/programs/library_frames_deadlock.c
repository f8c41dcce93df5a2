/* Two ranks receive from each other inside a shared library of the user's.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/exchange.h"
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int peer = 1 - start(&argc, &argv);
    int value = exchange_receive(peer);
    MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    return finish();
}
