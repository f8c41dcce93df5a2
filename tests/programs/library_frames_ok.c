/* A receive inside a shared library of the user's, from a rank that computes.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/exchange.h"
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    if (start(&argc, &argv) == 0) {
        exchange_receive(1);
    } else {
        int value = 0;
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    return finish();
}
