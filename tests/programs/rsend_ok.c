/* Large ready sends to receives that are posted, the sender is late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    if (rank == 0) {
        MPI_Irecv(data, kRendezvousInts, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        compute_until_released();
        MPI_Rsend(data, kRendezvousInts, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, &status);  // @wait
    return finish();
}
