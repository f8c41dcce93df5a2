/* The group that MPI_Comm_group gives is never freed, an equal one that was made of it is.
 *
 *   ranks: 2
 *   find: warning | leaked group | 0 1 | MPI_Comm_group LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int ranks[2] = {0, 1};
    MPI_Group all, equal;
    MPI_Comm_group(MPI_COMM_WORLD, &all);  // @make
    MPI_Group_incl(all, 2, ranks, &equal);
    MPI_Group_free(&equal);
    return finish();
}
