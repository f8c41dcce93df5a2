/* Sendrecv along a chain that ends in MPI_PROC_NULL on both sides.
 *
 * expect: finishes
 * ranks: 3
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int out = rank;
    int in = 0;
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank == 2 ? MPI_PROC_NULL : rank + 1;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Status status;
    MPI_Sendrecv(&out, 1, MPI_INT, left, 1, &in, 1, MPI_INT, right, 1, world, &status);
    return finish();
}
