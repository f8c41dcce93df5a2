/* An exposure epoch whose origin completes late.
 *
 * expect: none
 * ranks: 2
 * running: 0
 * call: 1 MPI_Win_wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int cell = 0;
    int peer = 1 - rank;
    MPI_Group world, group;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &peer, &group);
    if (rank == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        compute_until_released();
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);  // @wait
    }
    MPI_Win_free(&win);
    return finish();
}
