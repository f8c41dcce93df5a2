/* Rank 0 changes what it writes to a file before that is complete; rank 1 does so between the two
 * calls of a collective write.
 *
 *   ranks: 2
 *   find: error | pending buffer access | 0 | MPI_File_iwrite_at LINE(write)
 *   find: error | pending buffer access | 1 | MPI_File_write_all_begin LINE(begin)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {0, 1, 2, 3};
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_buffer_changed_error.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_seek(file, 16 * rank, MPI_SEEK_SET);
    if (rank == 0) {
        MPI_File_iwrite_at(file, 64, values, 4, MPI_INT, &request);  // @write
        values[1] = 7;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_write_all_begin(file, values, 4, MPI_INT);  // @begin
    if (rank == 1) values[3] = 8;
    MPI_File_write_all_end(file, values, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
