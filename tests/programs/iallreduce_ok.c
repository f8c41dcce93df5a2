/* A nonblocking reduction that one rank starts late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int sum = 0;
    MPI_Request request;
    MPI_Status status;
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @wait
    return finish();
}
