/* Rank 1 tells where its memory is before it has attached that to the window.
 *
 *   ranks: 2
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = calloc(8, sizeof *memory);
    MPI_Aint place = 0;
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Get_address(memory, &place);
    MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 1, place, 1, MPI_INT, window);  // @put
        MPI_Win_unlock(1, window);
    } else {
        MPI_Win_attach(window, memory, 8 * sizeof *memory);
    }
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
