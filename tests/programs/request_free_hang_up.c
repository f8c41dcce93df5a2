/* A synchronous send whose request is freed still waits for its receive; only
 * MPI_Finalize of its rank waits with it. The receiver waits for another tag.
 *
 * expect: hang_up
 * ranks: 2
 * core: 1
 * wait: 1 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Issend(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    return finish();
}
