/* Two receives by MPI's binding for C++, whose functions stand in a header of the MPI library: the
 * lines are the program's.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double value = rank;
    MPI::COMM_WORLD.Recv(&value, 1, MPI::DOUBLE, 1 - rank, 0);  // @receive
    MPI::COMM_WORLD.Send(&value, 1, MPI::DOUBLE, 1 - rank, 0);
    return finish();
}
