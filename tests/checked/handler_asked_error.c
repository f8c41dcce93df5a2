/* An error handler is asked for, and never given back.
 *
 *   ranks: 1
 *   find: warning | leaked error handler | 0 | MPI_Comm_get_errhandler LINE(ask)
 */
#include "tests/checked/checked.h"

static void tell(MPI_Comm* communicator, int* code, ...) {
    printf("error %d, %p\n", *code, (void*)communicator);
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Errhandler before;
    MPI_Comm_create_errhandler(tell, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);  // @ask
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&handler);
    return finish();
}
