/* Memory of MPI_Alloc_mem is given back twice.
 *
 *   ranks: 2
 *   find: error | use after free | 0 | MPI_Free_mem LINE(again)
 *   may: abend
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int* numbers = NULL;
    MPI_Alloc_mem(4096 * sizeof(int), MPI_INFO_NULL, &numbers);
    numbers[0] = rank;
    MPI_Bcast(numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Free_mem(numbers);
    if (rank == 0) MPI_Free_mem(numbers);  // @again
    return finish();
}
