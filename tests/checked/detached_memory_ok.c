/* Rank 1 replaces one piece of memory of the window by another between the rounds of rank 0.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = calloc(16, sizeof *memory);
    MPI_Aint place = 0;
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int round = 0; round < 2; ++round) {
        if (rank == 1) {
            MPI_Win_attach(window, memory + 8 * round, 8 * sizeof *memory);
            MPI_Get_address(memory + 8 * round, &place);
        }
        MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
            MPI_Put(&round, 1, MPI_INT, 1, MPI_Aint_add(place, 4 * round), 1, MPI_INT, window);
            MPI_Win_unlock(1, window);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Win_detach(window, memory + 8 * round);
    }
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
