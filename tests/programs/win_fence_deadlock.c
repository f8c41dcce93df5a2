/* A fence that one rank does not enter; it waits for a message of another.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 2
 * wait: 0 all 2 MPI_Win_fence LINE(fence)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Win_fence LINE(fence)
 * victim: 1 2
 * sentence: all members of 'window halo' but rank 2 have entered MPI_Win_fence
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    int cell = 0;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_name(win, "halo");
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @receive
    }
    MPI_Win_fence(0, win);  // @fence
    MPI_Win_free(&win);
    return finish();
}
