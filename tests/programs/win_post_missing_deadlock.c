/* An access epoch for a rank that never posts; it waits for the origin's message.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1
 * wait: 0 all 1 MPI_Win_complete LINE(complete)
 * wait_on: ch4 0 all 1 MPI_Win_start LINE(start)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * victim: 2 0
 * call: 2 MPI_Win_wait LINE(wait)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int cell = 0;
    int targets[] = {1, 2};
    int origins[] = {0};
    MPI_Group world, group;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank == 0) {
        MPI_Group_incl(world, 2, targets, &group);
        MPI_Win_start(group, 0, win);  // @start
        MPI_Win_complete(win);  // @complete
    } else {
        MPI_Group_incl(world, 1, origins, &group);
        if (rank == 1) {
            MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
        }
        MPI_Win_post(group, 0, win);
        MPI_Win_wait(win);  // @wait
    }
    MPI_Win_free(&win);
    return finish();
}
