/* A window that is never freed.
 *
 *   ranks: 2
 *   find: warning | leaked window | 0 1 | MPI_Win_create LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    char place[16];
    MPI_Win thing;
    MPI_Win_create(place, 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &thing);  // @make
    return finish();
}
