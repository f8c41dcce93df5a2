/* The persistent request of rank 0 is inactive at the end, and never freed.
 *
 *   ranks: 2
 *   find: warning | nonfreed request | 0 | MPI_Send_init LINE(init)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);  // @init
        for (int i = 0; i < 3; ++i) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    } else {
        for (int i = 0; i < 3; ++i)
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
