/* Rank 1 tells where its memory is, then attaches it to the window; a fence tells when that is done.
 *
 *   ranks: 2
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
    if (rank == 1) MPI_Win_attach(window, memory, 8 * sizeof *memory);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, place, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    if (rank == 1) MPI_Win_detach(window, memory);
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
