/* In a dynamic window the displacement is an address of the target, not a distance: the target
 * crashes where it leads to.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static int data[16];
    int value = 1;
    MPI_Win window;
    const int rank = start(&argc, &argv);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, data, sizeof data);
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 4 * sizeof(int), 1, MPI_INT, window);  // @put
    MPI_Win_fence(0, window);
    MPI_Win_detach(window, data);
    MPI_Win_free(&window);
    return finish();
}
