/* A nonblocking barrier over an intercommunicator: a rank of one group computes before it
 * starts it.
 *
 * expect: none
 * ranks: 4
 * running: 1
 * call: 2 MPI_Wait LINE(wait)
 * call: 3 MPI_Wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Ibarrier(bridge, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);  // @wait
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
