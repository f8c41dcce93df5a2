/* Rank 1 asks again and again whether its exposure epoch is over, which rank 0 never completes: it
 * waits for a message first.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Win_test LINE(test)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory = 0, value = 7, done = 0;
    MPI_Win window;
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Group world, other;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]){1 - rank}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Recv(&memory, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        while (!done)
            MPI_Win_test(window, &done);  // @test
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    return finish();
}
