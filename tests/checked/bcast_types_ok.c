/* The root broadcasts a row, the others take it as a column.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[16] = {rank};
    MPI_Datatype column;
    MPI_Type_vector(4, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_INT, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(data, 1, column, 0, MPI_COMM_WORLD);
    MPI_Type_free(&column);
    return finish();
}
