/* A nonblocking barrier of four ranks, which one of them starts late.
 *
 * expect: none
 * ranks: 4
 * running: 3
 * call: 0 MPI_Wait LINE(wait)
 * call: 1 MPI_Wait LINE(wait)
 * call: 2 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Request request;
    if (rank == 3) {
        compute_until_released();
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    return finish();
}
