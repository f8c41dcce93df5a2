/* A nonblocking broadcast whose root is late.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    MPI_Request request;
    MPI_Status status;
    if (rank == 0) {
        compute_until_released();
    }
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @wait
    return finish();
}
