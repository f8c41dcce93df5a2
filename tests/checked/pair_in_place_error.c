/* MPI_Sendrecv is given MPI_IN_PLACE, as if it were a collective call.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Sendrecv LINE(pair)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int number = rank;
    const int other = 1 - rank;
    MPI_Sendrecv(MPI_IN_PLACE,  // @pair
                 1,
                 MPI_INT,
                 other,
                 0,
                 &number,
                 1,
                 MPI_INT,
                 other,
                 0,
                 MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return finish();
}
