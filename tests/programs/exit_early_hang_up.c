/* A rank has ended without MPI_Finalize; the others wait for it. The launcher
 * tells the survivors by a signal, which this program ignores, as a program with a
 * handler of its own would.
 *
 * expect: hang_up
 * ranks: 3
 * mpiexec: -disable-auto-cleanup
 * core: 0
 * exited: 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * call: 2 MPI_Recv LINE(behind)
 * victim: 2 0
 */
#include <signal.h>

#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    signal(SIGUSR1, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        _exit(EXIT_SUCCESS);
    }
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);  // @receive
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @behind
    }
    return finish();
}
