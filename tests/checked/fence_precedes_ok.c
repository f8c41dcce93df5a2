/* All say that nothing precedes a fence.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one = 1;
    int* memory;
    MPI_Win window;
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | (rank == 1 ? MPI_MODE_NOSTORE : 0), window);
    if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    return finish();
}
