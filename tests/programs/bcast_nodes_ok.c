/* A broadcast that MPICH carries out over two nodes (it is told so): the rank that hands
 * the data on inside the second node is late.
 *
 * expect: none
 * ranks: 4
 * mpiexec: -genv MPIR_CVAR_ODD_EVEN_CLIQUES 1 -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM smp
 * running: 1
 * call: 3 MPI_Bcast LINE(bcast)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @bcast
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
