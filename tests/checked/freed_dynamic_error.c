/* Memory is given back that a dynamic window still has.
 *
 *   ranks: 2
 *   find: error | use after free | 0 1 | LINE(free)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int* memory = calloc(100, sizeof *memory);
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, memory, 100 * sizeof *memory);
    MPI_Barrier(MPI_COMM_WORLD);
    free(memory);  // @free
    MPI_Win_detach(window, memory);
    MPI_Win_free(&window);
    return finish();
}
