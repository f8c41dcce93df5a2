/* An error handler that was made for windows is given to a communicator.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Comm_set_errhandler LINE(set)
 */
#include "tests/checked/checked.h"

static void tell(MPI_Win* win, int* code, ...) {
    (void)win;
    (void)code;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Win_create_errhandler(tell, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);  // @set
    MPI_Errhandler_free(&handler);
    return finish();
}
