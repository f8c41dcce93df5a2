/* A communicator is made of three ranks out of four by those three alone; one of
 * them waits for a message instead, and the fourth for the end of it all.
 *
 * expect: deadlock
 * ranks: 4
 * core: 0 1 2
 * wait: 0 all 1 MPI_Comm_create_group LINE(create)
 * wait: 1 all 2 MPI_Comm_create_group LINE(create)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 3 MPI_Barrier LINE(barrier)
 * victim: 3 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int members[3] = {0, 1, 2};
    int value = 0;
    MPI_Group world;
    MPI_Group some;
    MPI_Comm part;
    MPI_Status status;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 3, members, &some);
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    if (rank < 3) {
        MPI_Comm_create_group(MPI_COMM_WORLD, some, 7, &part);  // @create
    }
    MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    return finish();
}
