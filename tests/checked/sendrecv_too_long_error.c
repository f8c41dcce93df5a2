/* Each rank sends eight integers to one that has room for four.
 *
 *   ranks: 2
 *   find: error | wrong send size | 0 1 | MPI_Sendrecv LINE(exchange)
 *   may: MPI error
 *   may: incomplete call
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine[8] = {rank}, theirs[8] = {0};
    const int other = 1 - rank;
    MPI_Sendrecv(mine, 8, MPI_INT, other, 0, theirs, 4, MPI_INT, other, 0,  // @exchange
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
