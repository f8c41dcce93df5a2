/* A communicator is made of three ranks out of four by those three alone; one of
 * them is late.
 *
 * expect: none
 * ranks: 4
 * running: 2
 * call: 0 MPI_Comm_create_group LINE(create)
 * call: 1 MPI_Comm_create_group LINE(create)
 * call: 3 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int members[3] = {0, 1, 2};
    MPI_Group world;
    MPI_Group some;
    MPI_Comm part;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, members, &some);
    if (rank == 2) {
        compute_until_released();
    }
    if (rank < 3) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &part);  // @create
        MPI_Comm_free(&part);
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    MPI_Group_free(&some);
    MPI_Group_free(&world);
    return finish();
}
