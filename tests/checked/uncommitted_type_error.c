/* Rank 0 sends with a datatype that it has not committed; errors are returned.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Send LINE(send)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[2] = {rank};
    MPI_Datatype pair;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    if (rank == 0) MPI_Send(data, 1, pair, 1, 0, MPI_COMM_WORLD);  // @send
    MPI_Type_free(&pair);
    return finish();
}
