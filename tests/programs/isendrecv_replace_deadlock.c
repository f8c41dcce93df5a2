/* MPI_Waitall on an MPI_Isendrecv_replace whose large message nobody receives, and whose
 * other part comes; the destination waits for a message of this rank.
 *
 * expect: deadlock
 * on: ch4_ofi_plain unknown
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Waitall LINE(wait)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (rank == 0) {
        MPI_Isendrecv_replace(data, kRendezvousInts, MPI_INT, 1, 1, 1, 2, MPI_COMM_WORLD,
                              &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);  // @wait
    } else {
        MPI_Send(data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(data, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    return finish();
}
