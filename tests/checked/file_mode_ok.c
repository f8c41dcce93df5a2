/* A file is opened for writing, and deleted when it is closed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_mode_ok.data", mode, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    return finish();
}
