/* A call that may come at any time.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Error_string(MPI_ERR_RANK, text, &length);
    return finish();
}
