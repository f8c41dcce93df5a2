/* Rank 0 frees a datatype twice; the library ends it there.
 * 
 *   ranks: 2
 *   find: error | use after free | 0 | MPI_Type_free LINE(again)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Datatype pair, copy;
    const int rank = start(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    copy = pair;
    MPI_Type_free(&pair);
    if (rank == 0) MPI_Type_free(&copy);  // @again
    return finish();
}
