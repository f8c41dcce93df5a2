/* Rank 1 exposes its window to rank 0.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, value = rank;
    const int peer = 1 - rank;
    MPI_Win window;
    MPI_Group all, other;
    MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Win_free(&window);
    return finish();
}
