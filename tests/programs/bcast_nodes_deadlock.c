/* A broadcast that MPICH carries out over two nodes (it is told so), with communicators of
 * its own: the rank that hands the data on inside the second node waits for a message of
 * the rank behind it.
 *
 * expect: deadlock
 * ranks: 4
 * mpiexec: -genv MPIR_CVAR_ODD_EVEN_CLIQUES 1 -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM smp
 * core: 1 3
 * wait: 1 all 3 MPI_Recv LINE(receive)
 * wait: 3 all 1 MPI_Bcast LINE(bcast)
 * running: 0 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @bcast
    if (rank == 3) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    if (rank % 2 == 0) {
        compute_until_released();
    }
    return finish();
}
