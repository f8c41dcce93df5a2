/* A matched probe with a wildcard, all possible senders wait for the prober.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 any 1,2 MPI_Mprobe LINE(probe)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Message message;
        MPI_Mprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &message, &status);  // @probe
        MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    return finish();
}
