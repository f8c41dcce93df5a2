/* A rank has ended without MPI_Finalize, but nobody waits for it: the wildcard
 * receive has another possible sender, which computes. The others leave without
 * MPI_Finalize too, which would wait for the one that is gone.
 *
 * expect: none
 * ranks: 3
 * mpiexec: -disable-auto-cleanup
 * running: 2
 * exited: 1
 * call: 0 MPI_Recv LINE(receive)
 */
#include <signal.h>

#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    signal(SIGUSR1, SIG_IGN);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);  // @receive
    } else if (rank == 2) {
        compute_until_released();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    printf("finished %d\n", rank);
    fflush(stdout);
    _exit(EXIT_SUCCESS);
}
