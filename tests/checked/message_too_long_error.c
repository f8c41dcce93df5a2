/* Rank 0 sends 4 integers, rank 1 has room for 2; MPI ends the program.
 *
 *   ranks: 2
 *   find: error | wrong send size | 0 1 | MPI_Recv LINE(recv)
 *   may: abend
 *   may: abort
 *   may: MPI error
 *   may: incomplete call
 *   may: potential hang-up
 *   may: real hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    if (rank == 0) MPI_Send(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(data, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    return finish();
}
