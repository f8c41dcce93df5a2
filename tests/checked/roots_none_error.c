/* In a reduction on an intercommunicator nobody is the root: both groups name one of the other.
 *
 *   ranks: 4
 *   stuck
 *   find: error | wrong root process | 0 1 2 3 | MPI_Reduce LINE(reduce)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int group = rank / 2;
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, group == 0 ? 2 : 0, 5, &inter);
    int value = rank, sum = 0;
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, inter);  // @reduce
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return finish();
}
