/* The blocks of the vector that rank 1 receives overlap each other, by one integer each.
 *
 *   ranks: 2
 *   find: error | overlapping | 1 | MPI_Recv LINE(recv)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int blocks[6] = {0, 1, 2, 3, 4, 5}, values[8] = {0};
    MPI_Datatype stairs;
    MPI_Type_vector(3, 2, 1, MPI_INT, &stairs);
    MPI_Type_commit(&stairs);
    if (rank == 0) MPI_Send(blocks, 6, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(values, 1, stairs, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // @recv
    MPI_Type_free(&stairs);
    return finish();
}
