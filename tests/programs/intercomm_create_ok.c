/* An intercommunicator is created; the leader of one of the groups is late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Intercomm_create LINE(create)
 * call: 1 MPI_Intercomm_create LINE(create)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm group;
    MPI_Comm bridge;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &group);
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &bridge);  // @create
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&group);
    return finish();
}
