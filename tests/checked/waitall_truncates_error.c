/* Of the messages that wildcard receives wait for together, one is too long.
 *
 *   ranks: 3
 *   find: error | wrong send size | 0 2 | MPI_Send LINE(send)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[2][8] = {{rank}};
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Request requests[2];
    if (rank == 1) MPI_Send(values, 4, MPI_INT, 0, 0, all);
    if (rank == 2) MPI_Send(values, 8, MPI_INT, 0, 0, all);  // @send
    if (rank == 0) {
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(values[i], 4, MPI_INT, MPI_ANY_SOURCE, 0, all, &requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return finish();
}
