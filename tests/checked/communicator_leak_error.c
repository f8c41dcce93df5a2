/* A communicator that is never freed.
 *
 *   ranks: 2
 *   find: warning | leaked communicator | 0 1 | MPI_Comm_dup LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Comm thing;
    MPI_Comm_dup(MPI_COMM_WORLD, &thing);  // @make
    return finish();
}
