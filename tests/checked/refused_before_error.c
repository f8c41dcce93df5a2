/* A call that may come at any time is refused, and the program does not look.
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_Error_string LINE(text)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_string(MPI_ERR_RANK, NULL, &length);  // @text
    (void)text;
    return finish();
}
