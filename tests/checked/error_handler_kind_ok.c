/* Predefined error handlers are for everything, wherever they were got from.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void tell(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    (void)code;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Errhandler handler, before, of_files;
    MPI_Comm_create_errhandler(tell, &handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_File_get_errhandler(MPI_FILE_NULL, &of_files);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, of_files);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&of_files);
    MPI_Errhandler_free(&handler);
    return finish();
}
