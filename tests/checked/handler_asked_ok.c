/* Error handlers are asked for, and given back; predefined ones may be used on.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

static void tell(MPI_Comm* communicator, int* code, ...) {
    printf("error %d, %p\n", *code, (void*)communicator);
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Errhandler before;
    MPI_Errhandler fatal;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &fatal);
    MPI_Comm_create_errhandler(tell, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, fatal);
    MPI_Errhandler_free(&fatal);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Errhandler_free(&before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return finish();
}
