/* A matched probe has taken the message of a synchronous send, and the receive is for
 * the next one: the sender waits for MPI_Mrecv.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Ssend LINE(send)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 0 rank 1 has taken such a message with a matched probe, and not received it
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    if (rank == 0) {
        MPI_Ssend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);  // @send
        MPI_Ssend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Message message;
        MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    return finish();
}
