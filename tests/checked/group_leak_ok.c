/* A group that is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Group thing;
    MPI_Comm_group(MPI_COMM_WORLD, &thing);
    MPI_Group_free(&thing);
    return finish();
}
