/* Memory of MPI_Alloc_mem is given back with MPI_Free_mem, which only one of two blocks is.
 *
 *   ranks: 2
 *   find: warning | leaked memory | 1 | MPI_Alloc_mem LINE(leaks)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* numbers = NULL;
    MPI_Alloc_mem(4 * sizeof(int), MPI_INFO_NULL, &numbers);
    numbers[0] = rank;
    MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Free_mem(numbers);
    if (rank == 1) {
        double* more = NULL;
        MPI_Alloc_mem(64 * sizeof(double), MPI_INFO_NULL, &more);  // @leaks
        more[0] = 1.0;
    }
    return finish();
}
