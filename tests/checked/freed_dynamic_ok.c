/* Memory is given back behind MPI_Win_detach, or behind MPI_Win_free.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int* memory = calloc(100, sizeof *memory);
    int* kept = calloc(100, sizeof *kept);
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_attach(window, memory, 100 * sizeof *memory);
    MPI_Win_attach(window, kept, 100 * sizeof *kept);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(window, memory);
    free(memory);
    MPI_Win_free(&window);
    free(kept);
    return finish();
}
