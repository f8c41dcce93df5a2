/* Two windows over the same memory: ranks 0 and 1 put into it by one each, between fences of both.
 *
 *   ranks: 3
 *   find: error | RMA conflict | 0 1 | MPI_Put LINE(head)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int memory[8] = {0}, value = rank;
    MPI_Win all, tail;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &all);
    MPI_Win_create(
        memory + 4, sizeof memory / 2, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &tail);
    MPI_Win_fence(0, all);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 2, 5, 1, MPI_INT, all);  // @head
    }
    MPI_Win_fence(0, tail);
    if (rank == 1) MPI_Put(&value, 1, MPI_INT, 2, 1, 1, MPI_INT, tail);
    MPI_Win_fence(0, all);
    MPI_Win_fence(0, tail);
    MPI_Win_free(&tail);
    MPI_Win_free(&all);
    return finish();
}
