/* An exposure epoch whose origin never completes: it waits for the target's message.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(receive)
 * wait: 1 all 0 MPI_Win_wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
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
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        MPI_Win_complete(win);
    } else {
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);  // @wait
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    return finish();
}
