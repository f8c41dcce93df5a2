/* A group that is never freed.
 *
 *   ranks: 2
 *   find: warning | leaked group | 0 1 | MPI_Comm_group LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Group thing;
    MPI_Comm_group(MPI_COMM_WORLD, &thing);  // @make
    return finish();
}
