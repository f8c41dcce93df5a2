/* A receive by MPI's binding for C++, from a rank that computes.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    double value = 1;
    if (start(&argc, &argv) == 0) {
        MPI::COMM_WORLD.Recv(&value, 1, MPI::DOUBLE, 1, 0);  // @receive
    } else {
        compute_until_released();
        MPI::COMM_WORLD.Send(&value, 1, MPI::DOUBLE, 0, 0);
    }
    return finish();
}
