/* One process writes where its file pointer is, the other one at an offset, in one operation.
 *
 *   ranks: 2
 *   find: error | different collectives | 0 1 | MPI_File_write_all LINE(pointer)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int value = rank;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_collectives_differ_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_File_write_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);  // @pointer
    } else {
        MPI_File_write_at_all(file, 4, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return finish();
}
