/* A wildcard receive has room for each of the messages that it may take.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[8] = {rank};
    const MPI_Comm all = MPI_COMM_WORLD;
    if (rank == 1) MPI_Send(values, 4, MPI_INT, 0, 0, all);
    if (rank == 2) MPI_Send(values, 8, MPI_INT, 0, 0, all);
    if (rank == 0) {
        MPI_Recv(values, 8, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
        MPI_Recv(values, 8, MPI_INT, MPI_ANY_SOURCE, 0, all, MPI_STATUS_IGNORE);
    }
    return finish();
}
