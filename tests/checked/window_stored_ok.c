/* Rank 1 uses its window before, beside and behind what rank 0 puts there.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[4] = {0}, value = 5;
    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    memory[1] = 7;
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    } else {
        memory[2] = 8;
        memory[3] = memory[0] + memory[2];
    }
    MPI_Win_fence(0, window);
    if (rank == 1) memory[1] = memory[1] + 1;
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Get(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, window);
    if (rank == 1) printf("%d\n", memory[1]);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    memory[1] = value;
    MPI_Win_free(&window);
    return finish();
}
