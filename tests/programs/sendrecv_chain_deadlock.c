/* Sendrecv along a chain in which every rank expects its right neighbour to have
 * sent, and the last one receives from the first.
 *
 * expect: deadlock
 * ranks: 3
 * core: 0 1 2
 * wait: 0 all 1 MPI_Sendrecv LINE(swap)
 * wait: 1 all 2 MPI_Sendrecv LINE(swap)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int out = rank;
    int in = 0;
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    int right = rank + 1;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Status status;
    if (rank == 2) {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, world, &status);  // @receive
        return finish();
    }
    MPI_Sendrecv(&out, 1, MPI_INT, left, 1, &in, 1, MPI_INT, right, 2, world, &status);  // @swap
    return finish();
}
