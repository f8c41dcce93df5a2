/* A file is opened with two modes of access, which exclude each other.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_open LINE(open)
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_WRONLY;
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, "file_mode_error.data", mode, MPI_INFO_NULL, &file);  // @open
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    return finish();
}
