/* The contents of a datatype are asked for with room for too few integers.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Type_get_contents LINE(contents)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int lengths[3] = {1, 2, 1}, places[3] = {0, 3, 9};
    int integers[4];
    MPI_Datatype type, inner;
    start(&argc, &argv);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_get_contents(type, 4, 0, 1, integers, NULL, &inner);  // @contents
    MPI_Type_free(&type);
    return finish();
}
