/* A barrier on an intercommunicator for which one rank is late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Barrier LINE(barrier)
 * call: 1 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Barrier(bridge);  // @barrier
    return finish();
}
