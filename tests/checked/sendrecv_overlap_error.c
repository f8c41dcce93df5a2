/* The two buffers of MPI_Sendrecv share an integer.
 *
 *   ranks: 2
 *   find: error | overlapping | 0 1 | MPI_Sendrecv LINE(exchange)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[8] = {rank};
    MPI_Sendrecv(data, 4, MPI_INT, 1 - rank, 0, data + 3, 4, MPI_INT, 1 - rank, 0,  // @exchange
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return finish();
}
