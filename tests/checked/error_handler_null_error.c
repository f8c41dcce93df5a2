/* The error handler of no communicator is called.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Comm_call_errhandler LINE(call)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER);  // @call
    return finish();
}
