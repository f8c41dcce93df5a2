/* One process returns from main without MPI_Finalize, and the launcher ends the other, which
 * computes: that follows from it.
 *
 *   ranks: 2
 *   find: error | missing finalize | 1 |
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    if (start(&argc, &argv) == 1) return EXIT_SUCCESS;
    sleep(5);
    MPI_Barrier(MPI_COMM_WORLD);
    return finish();
}
