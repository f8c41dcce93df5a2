/* Rank 0 exposes its memory to rank 2, then to rank 1; each starts to access it.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* memory = NULL;
    MPI_Group world, targets;
    MPI_Win window;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    const int target = 0;
    MPI_Group_incl(world, 1, &target, &targets);
    for (int origin = 2; origin > 0 && rank == 0; --origin) {
        MPI_Group origins;
        MPI_Group_incl(world, 1, &origin, &origins);
        MPI_Win_post(origins, 0, window);
        MPI_Win_wait(window);
        MPI_Group_free(&origins);
    }
    if (rank != 0) {
        MPI_Win_start(targets, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&targets);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
    return finish();
}
