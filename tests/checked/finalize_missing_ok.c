/* Rank 1 finalizes from a handler of exit.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static inline void finalize(void) {
    MPI_Finalize();
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    if (rank == 1) {
        atexit(finalize);
        exit(0);
    }
    return finish();
}
