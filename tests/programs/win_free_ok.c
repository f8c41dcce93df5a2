/* MPI_Win_free, which one rank calls late.
 *
 * expect: none
 * ranks: 2
 * running: 1
 * call: 0 MPI_Win_free LINE(free)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* cell = NULL;
    MPI_Win win;
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    if (rank == 1) {
        compute_until_released();
    }
    MPI_Win_free(&win);  // @free
    return finish();
}
