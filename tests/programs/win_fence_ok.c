/* A fence that one rank enters late.
 *
 * expect: none
 * ranks: 3
 * running: 2
 * call: 0 MPI_Win_fence LINE(fence)
 * call: 1 MPI_Win_fence LINE(fence)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int cell = 0;
    MPI_Win win;
    MPI_Win_create(&cell, sizeof cell, sizeof cell, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank != 2) {
        MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    } else {
        compute_until_released();
    }
    MPI_Win_fence(0, win);  // @fence
    MPI_Win_free(&win);
    return finish();
}
