/* A matched probe has taken the message of a large send; it is received later.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Send LINE(send)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* buffer = large_buffer();
    if (rank == 0) {
        MPI_Send(buffer, kRendezvousInts, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @send
    } else {
        MPI_Message message;
        MPI_Request request;
        int found = 0;
        while (!found) {
            MPI_Improbe(0, 5, MPI_COMM_WORLD, &found, &message, MPI_STATUS_IGNORE);
        }
        compute_until_released();
        MPI_Imrecv(buffer, kRendezvousInts, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return finish();
}
