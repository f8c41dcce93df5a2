/* Ranks 1 and 2 put to the same place in one epoch of MPI_Win_post of rank 0.
 * 
 *   ranks: 3
 *   find: error | RMA conflict | 1 2 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Win window;
    MPI_Group all, others;
    int memory[4] = {0}, value = 0;
    const int origins[2] = {1, 2}, target = 0;
    const int rank = start(&argc, &argv);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, rank == 0 ? 2 : 1, rank == 0 ? origins : &target, &others);
    if (rank == 0) {
        MPI_Win_post(others, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Win_start(others, 0, window);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);  // @put
        MPI_Win_complete(window);
    }
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
    return finish();
}
