/* An uncommitted datatype is a part of a committed one, and is freed before the send.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {rank};
    MPI_Datatype pair, two;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_contiguous(2, pair, &two);
    MPI_Type_free(&pair);
    MPI_Type_commit(&two);
    if (rank == 0) MPI_Send(data, 1, two, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&two);
    return finish();
}
