/* A datatype that MPI_Type_get_contents gives out is one more handle to free.
 *
 *   ranks: 2
 *   find: warning | leaked datatype | 0 1 | MPI_Type_get_contents LINE(contents)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Datatype three, strided, part;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_vector(2, 1, 3, three, &strided);
    int numbers[3];
    MPI_Aint addresses[1];
    MPI_Type_get_contents(strided, 3, 0, 1, numbers, addresses, &part);  // @contents
    MPI_Type_free(&strided);
    MPI_Type_free(&three);
    return finish();
}
