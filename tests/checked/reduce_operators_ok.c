/* All ranks use an operator of their own, made from the same function.
 *
 *   ranks: 3
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
    MPI_Op last;
    MPI_Op_create(take_last, 0, &last);
    MPI_Allreduce(&value, &result, 1, MPI_INT, last, MPI_COMM_WORLD);
    MPI_Op_free(&last);
    return finish();
}
