/* Rank 1 stores to its window before MPI_Win_post, and behind MPI_Win_wait.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int other = 1 - rank;
    int memory[2] = {0}, value = 5;
    MPI_Group all, peer;
    MPI_Win window;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &peer);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_start(peer, 0, window);
        MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else {
        memory[0] = 8;
        MPI_Win_post(peer, 0, window);
        MPI_Win_wait(window);
        memory[0] = 9;
    }
    MPI_Win_free(&window);
    MPI_Group_free(&peer);
    MPI_Group_free(&all);
    return finish();
}
