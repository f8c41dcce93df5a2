/* What comes out of a datatype is freed, if it is not one of MPI's own.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    int integers[3];
    MPI_Aint addresses[1];
    MPI_Datatype pair, pairs, inner;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(3, 1, 2, pair, &pairs);
    MPI_Type_get_contents(pair, 1, 0, 1, integers, addresses, &inner);
    MPI_Type_free(&pair);
    MPI_Type_get_contents(pairs, 3, 0, 1, integers, addresses, &inner);
    MPI_Type_free(&inner);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_free(&pairs);
    MPI_Type_vector(3, 1, 2, pair, &pairs);
    MPI_Type_get_contents(pairs, 3, 0, 1, integers, addresses, &inner);
    MPI_Type_free(&inner);
    MPI_Type_commit(&pair);
    MPI_Bcast(integers, 1, pair, 0, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);
    return finish();
}
