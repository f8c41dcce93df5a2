/* Two windows over the same memory, used one after the other, and for different elements.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[8] = {0}, value = rank;
    MPI_Win all, tail;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_create(
        memory + 4, sizeof memory / 2, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &tail);
    for (int step = 0; step < 2; ++step) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, all);
        if (rank == 0) MPI_Put(&value, 1, MPI_INT, 2, 5, 1, MPI_INT, all);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, all);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, tail);
        if (rank == 1) MPI_Put(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, tail);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, tail);
    }
    MPI_Win_fence(0, all);
    MPI_Win_fence(0, tail);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 2, 4, 1, MPI_INT, all);
    if (rank == 1) MPI_Put(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, tail);
    MPI_Win_fence(0, tail);
    MPI_Win_fence(0, all);
    MPI_Win_free(&tail);
    MPI_Win_free(&all);
    return finish();
}
