/* One rank is late for a barrier on a split communicator.
 *
 * expect: none
 * ranks: 4
 * running: 2
 * call: 0 MPI_Barrier LINE(half)
 * call: 1 MPI_Barrier LINE(all)
 * call: 3 MPI_Barrier LINE(all)
 * sentence: rank 2
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Barrier(half);            // @half
    MPI_Barrier(MPI_COMM_WORLD);  // @all
    return finish();
}
