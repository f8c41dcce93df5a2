/* MPI_Win_start on memory that the ranks share waits for the post itself.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Win_start LINE(start)
 * wait: 1 all 0 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* cell = NULL;
    int peer = 1 - rank;
    MPI_Group world, group;
    MPI_Win win;
    MPI_Win_allocate_shared(
        sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);  // @start
        MPI_Win_complete(win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);  // @barrier
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);
    }
    MPI_Win_free(&win);
    return finish();
}
