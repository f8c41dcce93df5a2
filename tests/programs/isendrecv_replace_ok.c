/* MPI_Waitany on an MPI_Isendrecv_replace, whose peer computes, and on a receive that
 * only a rank that waits for this one could end.
 *
 * expect: none
 * ranks: 3
 * running: 1
 * call: 0 MPI_Waitany LINE(wait)
 * call: 2 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* data = large_buffer();
    int value = 0;
    int done = 0;
    MPI_Request requests[2];
    if (rank == 0) {
        MPI_Isendrecv_replace(data, kRendezvousInts, MPI_INT, 1, 1, 1, 2, MPI_COMM_WORLD,
                              &requests[0]);
        MPI_Irecv(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitany(2, requests, &done, MPI_STATUS_IGNORE);  // @wait
        MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        compute_until_released();
        MPI_Sendrecv_replace(data, kRendezvousInts, MPI_INT, 0, 2, 0, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    return finish();
}
