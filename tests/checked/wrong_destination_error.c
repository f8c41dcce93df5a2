/* Rank 0 sends to a rank that does not exist; MPI ends the program.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Send LINE(send)
 *   may: abend
 *   may: abort
 *   may: MPI error
 *   may: unfinished recv
 *   may: nonpaired recv
 *   may: real hang-up
 *   may: incomplete call
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[10] = {rank};
    if (rank == 0) MPI_Send(data, 10, MPI_INT, 2, 123, MPI_COMM_WORLD);  // @send
    if (rank == 1) MPI_Recv(data, 10, MPI_INT, 0, 123, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
