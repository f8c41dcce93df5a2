/* Of the messages that a wildcard receive may take, one is too long for it.
 *
 *   ranks: 3
 *   find: error | wrong send size | 0 2 | MPI_Send LINE(send)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[8] = {rank};
    const MPI_Comm all = MPI_COMM_WORLD;
    if (rank == 1) MPI_Send(values, 4, MPI_INT, 0, 0, all);
    if (rank == 2) MPI_Send(values, 8, MPI_INT, 0, 0, all);  // @send
    if (rank == 0) {
        MPI_Recv(values, 4, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
        MPI_Recv(values, 4, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
    }
    return finish();
}
