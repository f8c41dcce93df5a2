/* Rank 0 gets less than it has room for: it says so in one call, most likely by mistake.
 *
 *   ranks: 2
 *   find: warning | incorrect send size | 0 | MPI_Get LINE(get)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0}, values[4] = {0};
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Get(values, 4, MPI_INT, 1, 0, 2, MPI_INT, window);  // @get
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
