/* A datatype that MPI_Type_get_contents gives out is freed, too.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Datatype three, strided, part;
    MPI_Type_contiguous(3, MPI_INT, &three);
    MPI_Type_vector(2, 1, 3, three, &strided);
    int numbers[3];
    MPI_Aint addresses[1];
    MPI_Type_get_contents(strided, 3, 0, 1, numbers, addresses, &part);
    MPI_Type_free(&strided);
    MPI_Type_free(&three);
    MPI_Type_free(&part);
    return finish();
}
