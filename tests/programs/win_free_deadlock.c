/* MPI_Win_free is collective: one rank waits in a barrier instead.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Win_free LINE(free)
 * wait: 1 all 0 MPI_Barrier LINE(barrier)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int* cell = NULL;
    MPI_Win win;
    MPI_Win_allocate(sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    if (rank == 1) {
        MPI_Barrier(MPI_COMM_WORLD);  // @barrier
    }
    MPI_Win_free(&win);  // @free
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return finish();
}
