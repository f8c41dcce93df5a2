/* The root of the broadcast does not exist; errors are returned.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Bcast LINE(bcast)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD);  // @bcast
    return finish();
}
