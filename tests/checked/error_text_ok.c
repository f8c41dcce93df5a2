/* Texts of the program's own error codes and classes; a code may belong to a class of MPI's own.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int mine = 0, code = 0, other = 0;
    MPI_Add_error_class(&mine);
    MPI_Add_error_code(mine, &code);
    MPI_Add_error_code(MPI_ERR_TRUNCATE, &other);
    MPI_Add_error_string(mine, "of the program");
    MPI_Add_error_string(code, "of one part of it");
    MPI_Add_error_string(code, "of another part of it");
    MPI_Add_error_string(other, "too long");
    return finish();
}
