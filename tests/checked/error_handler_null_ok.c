/* A communicator has an error handler; what files are opened with has MPI_FILE_NULL.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static int calls = 0;

static void count(MPI_Comm* communicator, int* code, ...) {
    (void)communicator;
    if (*code != MPI_SUCCESS) ++calls;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Errhandler handler, of_files;
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Errhandler_free(&handler);
    MPI_File_get_errhandler(MPI_FILE_NULL, &of_files);
    MPI_File_set_errhandler(MPI_FILE_NULL, of_files);
    MPI_Errhandler_free(&of_files);
    return calls == 0 ? finish() : EXIT_FAILURE;
}
