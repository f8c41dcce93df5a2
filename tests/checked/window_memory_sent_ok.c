/* Rank 1 sends from its window what nobody writes in this epoch.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    int memory[4] = {0}, value = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Recv(&memory[2], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&memory[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
