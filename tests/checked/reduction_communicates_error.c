/* The function of the operator asks another rank for its weight.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Sendrecv LINE(ask)
 */
#include "tests/checked/checked.h"

static int weigh(int own) {
    int weight = 0;
    MPI_Sendrecv(&own, 1, MPI_INT, 0, 7, &weight, 1, MPI_INT, 0, 7, MPI_COMM_SELF,  // @ask
                 MPI_STATUS_IGNORE);
    return weight;
}

static void heavier(void* in, void* inout, int* count, MPI_Datatype* type) {
    (void)type;
    int *left = in, *right = inout;
    for (int i = 0; i < *count; ++i)
        if (weigh(left[i]) > right[i]) right[i] = left[i];
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine[2] = {rank, 3 - rank}, most[2];
    MPI_Op op;
    MPI_Op_create(heavier, 1, &op);
    MPI_Allreduce(mine, most, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    return finish();
}
