/* Rank 0 exposes its memory to rank 2, but it is rank 1 that starts to access it.
 *
 *   ranks: 3
 *   stuck
 *   find: error | real deadlock | 0 1 2 | MPI_Win_post LINE(post)
 *   find: error | real deadlock | 0 1 2 | MPI_Win_start LINE(start)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = NULL;
    MPI_Group world, origins, targets;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int target = 0, origin = 2;
    MPI_Group_incl(world, 1, &target, &targets);
    MPI_Group_incl(world, 1, &origin, &origins);
    if (rank == 0) {
        MPI_Win_post(origins, 0, window);  // @post
        MPI_Win_wait(window);
    } else if (rank == 1) {
        MPI_Win_start(targets, 0, window);  // @start
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&origins);
    MPI_Group_free(&targets);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    return finish();
}
