/* One process leaves without MPI_Finalize. That nobody receives what the other one sends it, and nobody
 * sends what that one waits for, follows from it.
 *
 *   ranks: 2
 *   find: error | missing finalize | 1 |
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int number = 0;
    const int rank = start(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) exit(2);
    MPI_Send(&number, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
