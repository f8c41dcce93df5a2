/* A window that is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    char place[16];
    MPI_Win thing;
    MPI_Win_create(place, 16, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &thing);
    MPI_Win_free(&thing);
    return finish();
}
