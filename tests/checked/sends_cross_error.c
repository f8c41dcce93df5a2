/* Both ranks send a short message before they receive: only buffering lets them.
 *
 *   ranks: 2
 *   find: warning | potential deadlock | 0 1 | MPI_Send LINE(send)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);  // @send
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
