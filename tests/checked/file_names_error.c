/* The ranks open different files together.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_open LINE(open)
 *   may: incomplete gop
 *   may: different collectives
 *   may: abort
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = rank == 0 ? "file_names_error.0" : "file_names_error.1";
    const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);  // @open
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    MPI_File_delete(name, MPI_INFO_NULL);
    return finish();
}
