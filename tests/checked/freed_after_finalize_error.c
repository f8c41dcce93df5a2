/* A datatype is freed by a function that runs after MPI_Finalize: that it is
 * leaked is no mistake of its own.
 *
 *   ranks: 2
 *   find: error | call outside MPI | 0 1 | MPI_Type_free LINE(free)
 */
#include "tests/checked/checked.h"

static MPI_Datatype row;

static void clean_up(void) {
    MPI_Type_free(&row);  // @free
}

int main(int argc, char** argv) {
    atexit(clean_up);
    start(&argc, &argv);
    MPI_Type_contiguous(4, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    return finish();
}
