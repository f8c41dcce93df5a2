/* Of the messages that wildcard receives wait for together, none is too long.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[2][8] = {{rank}};
    const MPI_Comm all = MPI_COMM_WORLD;
    MPI_Request requests[2];
    if (rank == 1) MPI_Send(values, 4, MPI_INT, 0, 0, all);
    if (rank == 2) MPI_Send(values, 3, MPI_INT, 0, 0, all);
    if (rank == 0) {
        for (int i = 0; i < 2; ++i)
            MPI_Irecv(values[i], 4, MPI_INT, MPI_ANY_SOURCE, 0, all, &requests[i]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return finish();
}
