/* An error class of MPI's own is given another text.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Add_error_string LINE(text)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Add_error_string(MPI_ERR_TRUNCATE, "too long");  // @text
    return finish();
}
