/* The fences are of the window that the operation between them is of.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int left = 0, right = 0, value = 7;
    MPI_Win one, other;
    MPI_Win_create(&left, sizeof left, sizeof left, MPI_INFO_NULL, MPI_COMM_WORLD, &one);
    MPI_Win_create(&right, sizeof right, sizeof right, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_fence(0, other);
    if (rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, other);
    MPI_Win_fence(0, other);
    MPI_Win_free(&one);
    MPI_Win_free(&other);
    return finish();
}
