/* The function of the operator asks MPI for the size of what it adds, and communicates nothing.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    int size = 0;
    MPI_Type_size(*type, &size);
    int *left = in, *right = inout;
    for (int i = 0; i < *count * (size / (int)sizeof(int)); ++i)
        right[i] += left[i];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine[2] = {rank, 3 - rank}, sums[2];
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(mine, sums, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Sendrecv(mine, 2, MPI_INT, rank, 7, sums, 2, MPI_INT, rank, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Op_free(&op);
    return finish();
}
