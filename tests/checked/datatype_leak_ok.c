/* A datatype that is freed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Datatype thing;
    MPI_Type_contiguous(3, MPI_INT, &thing);
    MPI_Type_free(&thing);
    return finish();
}
