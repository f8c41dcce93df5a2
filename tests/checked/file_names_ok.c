/* The ranks open one file, by different ways.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = rank == 0 ? "file_names_ok.data" : "./file_names_ok.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    return finish();
}
