/* Blocks that overlap each other are sent; what is received lies between each other.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int blocks[4] = {0, 1, 2, 3}, values[6] = {0};
    MPI_Datatype stairs, column, columns;
    MPI_Type_vector(3, 2, 1, MPI_INT, &stairs);
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &columns);
    MPI_Type_commit(&stairs);
    MPI_Type_commit(&columns);
    if (rank == 0) MPI_Send(blocks, 1, stairs, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(values, 2, columns, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&columns);
    MPI_Type_free(&column);
    MPI_Type_free(&stairs);
    return finish();
}
