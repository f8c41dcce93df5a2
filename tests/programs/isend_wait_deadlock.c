/* Large Isend and Wait head to head on one side, a blocking receive of another
 * message on the other.
 *
 * expect: deadlock
 * on: ch4_ofi_plain unknown
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Wait LINE(wait)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 1 tag 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    MPI_Status status;
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(data, kRendezvousInts, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, &status);  // @wait
    } else {
        MPI_Recv(data, kRendezvousInts, MPI_INT, 0, 4, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
