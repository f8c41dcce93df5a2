/* The processes give a file different sizes, in a call that all have to make alike.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_set_size LINE(size)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  "file_values_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 100 + rank);  // @size
    MPI_File_close(&file);
    return finish();
}
