/* Rank 1 sums where the others look for the maximum.
 *
 *   ranks: 3
 *   find: error | diff reductions | 0 1 2 | MPI_Allreduce LINE(sum)
 */
#include "tests/checked/checked.h"

static inline void take_last(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((int*)inout)[i] = ((int*)in)[i];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, result = 0;
    if (rank == 1)
        MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);  // @sum
    else
        MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return finish();
}
