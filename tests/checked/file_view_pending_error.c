/* The view of a file is set while something is written to it; the file is flushed while a split
 * collective operation is under way.
 *
 *   ranks: 2
 *   find: error | pending operation | 0 1 | MPI_File_set_view LINE(view)
 *   find: error | pending operation | 0 1 | MPI_File_sync LINE(sync)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    static int values[4] = {1, 2, 3, 4};
    const char* const name = "file_view_pending_error.data";
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  name,
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, 16 * rank, values, 4, MPI_INT, &request);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);  // @view
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 4 * rank, values, 4, MPI_INT);
    MPI_File_sync(file);  // @sync
    MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
