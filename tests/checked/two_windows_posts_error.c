/* Two windows over the same memory of rank 2, which posts both to another process each.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(put)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    const int origins[2] = {0, 1}, target = 2;
    MPI_Win windows[2];
    MPI_Group all, others;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = 0; i < 2; ++i)
        MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
    if (rank == 2) {
        for (int i = 0; i < 2; ++i) {
            MPI_Group_incl(all, 1, &origins[i], &others);
            MPI_Win_post(others, 0, windows[i]);
            MPI_Group_free(&others);
        }
        for (int i = 0; i < 2; ++i)
            MPI_Win_wait(windows[i]);
    } else {
        MPI_Group_incl(all, 1, &target, &others);
        MPI_Win_start(others, 0, windows[rank]);
        MPI_Put(&value, 1, MPI_INT, 2, 3, 1, MPI_INT, windows[rank]);  // @put
        MPI_Win_complete(windows[rank]);
        MPI_Group_free(&others);
    }
    MPI_Group_free(&all);
    MPI_Win_free(&windows[0]);
    MPI_Win_free(&windows[1]);
    return finish();
}
