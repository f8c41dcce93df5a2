/* Rank 0 promises that rank 1 has posted already, of which it does not make sure.
 *
 *   ranks: 2
 *   find: error | epoch error | 0 1 | MPI_Win_start LINE(start)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = rank;
    const int peer = 1 - rank;
    MPI_Win window;
    MPI_Group all, other;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_start(other, MPI_MODE_NOCHECK, window);  // @start
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, MPI_MODE_NOCHECK, window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&window);
    return finish();
}
