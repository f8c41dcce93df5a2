/* One process says of an operator that it commutes, the other one that it does not.
 *
 *   ranks: 2
 *   find: error | diff reductions | 0 1 | MPI_Allreduce LINE(reduce)
 */
#include "tests/checked/checked.h"

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; ++i)
        ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int sum = 0;
    MPI_Op op;
    MPI_Op_create(add, rank == 0, &op);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);  // @reduce
    MPI_Op_free(&op);
    return finish();
}
