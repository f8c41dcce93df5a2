/* Rank 0 asks a communicator for its size that it has freed; errors are returned.
 *
 *   ranks: 2
 *   find: error | use after free | 0 | MPI_Comm_size LINE(use)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int size = 0;
    MPI_Comm other, copy;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    copy = other;
    MPI_Comm_free(&other);
    if (rank == 0) MPI_Comm_size(copy, &size);  // @use
    return finish();
}
