/* Calls through pointers, whose arguments the caller's instructions do not show: a matched probe
 * with a wildcard, a receive, and a synchronous send.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 any 1,2 MPI_Mprobe LINE(probe)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * wait: 2 all 1 MPI_Ssend LINE(send)
 */
#include "tests/programs/indirect_call.h"
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Message message;
        the_mprobe()(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);  // @probe
        MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    } else if (rank == 1) {
        the_recv()(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    } else {
        the_ssend()(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);  // @send
    }
    return finish();
}
