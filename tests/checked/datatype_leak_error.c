/* A datatype that is never freed.
 *
 *   ranks: 2
 *   find: warning | leaked datatype | 0 1 | MPI_Type_contiguous LINE(make)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    (void)rank;
    MPI_Datatype thing;
    MPI_Type_contiguous(3, MPI_INT, &thing);  // @make
    return finish();
}
