/* A communicator that is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Comm thing;
    MPI_Comm_dup(MPI_COMM_WORLD, &thing);
    MPI_Comm_free(&thing);
    return finish();
}
