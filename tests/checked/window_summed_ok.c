/* Rank 1 sums up what is in its window until rank 0 has put its numbers into all of it.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kElements = 4 };

static int sum_of(const volatile int* memory) {
    int sum = 0;
    for (int i = 0; i < kElements; ++i)
        sum += memory[i];
    return sum;
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int *memory, any, one = 1;
    MPI_Win window;
    MPI_Win_allocate(
        kElements * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < kElements; ++i)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < kElements; ++i) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
            MPI_Put(&one, 1, MPI_INT, 1, i, 1, MPI_INT, window);
            MPI_Win_unlock(1, window);
        }
    } else {
        // Also if it is there at once.
        for (int looks = 0; looks < 3 || sum_of(memory) != kElements; ++looks)
            if (looks > 3) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    return finish();
}
