/* The shared file pointer, and the processes see different parts of the file.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write_shared LINE(write)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "shared_pointer_views.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 64 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);  // @view
    MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);  // @write
    MPI_File_close(&file);
    return finish();
}
