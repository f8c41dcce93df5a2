/* Each rank has room for what the other sends.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int mine[8] = {rank}, theirs[8] = {0};
    const int other = 1 - rank;
    MPI_Sendrecv(mine, 8, MPI_INT, other, 0, theirs, 8, MPI_INT, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return finish();
}
