/* Rank 0 sends -1 elements; errors are returned.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 | MPI_Send LINE(send)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) MPI_Send(&value, -1, MPI_INT, 1, 0, MPI_COMM_WORLD);  // @send
    return finish();
}
