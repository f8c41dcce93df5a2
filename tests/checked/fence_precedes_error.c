/* One process says that nothing precedes a fence, and goes on; the others wait for it there.
 *
 *   ranks: 2
 *   stuck
 *   find: error | invalid argument | 0 1 | MPI_Win_fence LINE(fence)
 *   may: incomplete call
 *   may: unfinished gop
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one = 1;
    int* memory;
    MPI_Win window;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPRECEDE : 0, window);  // @fence
    if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    return finish();
}
