/* Memory of MPI_Alloc_mem is given back with MPI_Free_mem, that of MPI_Win_allocate with its
 * window.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    for (int round = 0; round < 3; ++round) {
        int* numbers = NULL;
        MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &numbers);
        numbers[0] = rank;
        MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Free_mem(numbers);
    }
    double* more = NULL;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_allocate(
        64 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &more, &window);
    more[0] = 1.0;
    MPI_Win_free(&window);
    int* own = NULL;
    MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &own);
    MPI_Win_create(own, 4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Free_mem(own);
    return finish();
}
