/* Rank 1 takes its memory out of the window when rank 0 has told that it is done; what rank 0 has
 * it leaves to MPI_Win_free.
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
    MPI_Win_attach(window, memory, 8 * sizeof *memory);
    MPI_Get_address(memory, &place);
    MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 1, place, 1, MPI_INT, window);
        MPI_Win_unlock(1, window);
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_detach(window, memory);
    }
    MPI_Win_free(&window);
    free(memory);
    return finish();
}
