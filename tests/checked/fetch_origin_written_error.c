/* What MPI_Fetch_and_op and MPI_Get_accumulate add is changed before they are complete.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_Fetch_and_op
 *   find: error | pending buffer access | 0 | MPI_Get_accumulate
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, one = 1, more[2] = {1, 2}, before = 0, both[2];
    MPI_Win window;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = memory[1] = 0;
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Fetch_and_op(&one, &before, MPI_INT, 1, 0, MPI_SUM, window);
        one = 2;
        MPI_Get_accumulate(more, 2, MPI_INT, both, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, window);
        more[1] = 5;
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    return finish();
}
