/* Both ranks add to integers of rank 0 that overlap by half: that is neither the same element nor
 * another one.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | MPI_Accumulate LINE(add)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, value = 1;
    MPI_Win window;
    MPI_Win_create(data, sizeof data, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 2 * rank, 1, MPI_INT, MPI_SUM, window);  // @add
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
