/* The memory of a window is given back behind the window.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    double* memory = calloc(100, sizeof *memory);
    MPI_Win window;
    MPI_Win_create(memory, 100 * sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
