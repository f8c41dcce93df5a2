/* Doubles are written to a file whose view consists of integers.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_File_write_all LINE(write)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double values[4] = {rank, 1, 2, 3};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  "file_elements_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 32 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, values, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);  // @write
    MPI_File_close(&file);
    return finish();
}
