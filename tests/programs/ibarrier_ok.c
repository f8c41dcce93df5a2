/* A nonblocking barrier that one rank starts later, the second on its
 * communicator.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Wait LINE(wait)
 * call: 1 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Request request;
    MPI_Status status;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);  // @wait
    return finish();
}
