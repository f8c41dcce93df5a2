/* A persistent request, started three times and freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 3; ++i) {
            MPI_Startall(1, &request);
            MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
        }
        MPI_Request_free(&request);
    } else {
        for (int i = 0; i < 3; ++i)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
