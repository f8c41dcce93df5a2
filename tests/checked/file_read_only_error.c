/* What is opened for reading is written to. Files return errors, and nobody looks at them.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write_at LINE(write)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "file_read_only_error.data";
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 4 * rank, &value, 1, MPI_INT, MPI_STATUS_IGNORE);  // @write
    MPI_File_close(&file);
    return finish();
}
