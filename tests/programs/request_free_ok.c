/* The message of a send whose request is freed arrives all the same.
 *
 * expect: none
 * on: ch4 stays
 * ranks: 2
 * running: 0
 * call: 1 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* buffer = large_buffer();
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(buffer, kRendezvousInts, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        compute_until_released();
    } else {
        MPI_Recv(buffer, kRendezvousInts, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    return finish();
}
