/* Two ranks block each other, three more wait in a chain that leads to them.
 *
 * expect: deadlock
 * ranks: 5
 * core: 3 4
 * wait: 3 all 4 MPI_Recv LINE(receive)
 * wait: 4 all 3 MPI_Recv LINE(receive)
 * call: 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(receive)
 * victim: 0 1 2 3
 * victim: 1 2 3
 * victim: 2 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int source = rank == 4 ? 3 : rank + 1;
    int value = 0;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &status);  // @receive
    return finish();
}
