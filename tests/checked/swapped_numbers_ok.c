/* Floating-point numbers are swapped as integers of their size, as there is no other way.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const double value = 1;
    double expected = 0;
    double old = 0;
    double* memory;
    MPI_Win window;
    MPI_Win_allocate(16, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;
    MPI_Win_fence(0, window);
    if (rank == 0) MPI_Compare_and_swap(&value, &expected, &old, MPI_INT64_T, 1, 0, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    MPI_Win_free(&window);
    return finish();
}
