/* A split collective operation is ended by the end of another one; and a file is closed while
 * something is being written to it. (To wait for that now, libraries take for ever.)
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_File_read_at_all_end LINE(end)
 *   find: error | pending operation | 0 | MPI_File_close LINE(close)
 *   find: error | pending operation | 0 | MPI_File_iwrite_at LINE(write)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

static MPI_File opened(const char* name) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    return file;
}

int main(int argc, char** argv) {
    start(&argc, &argv);
    int values[4] = {1, 2, 3, 4};
    MPI_Request request;
    MPI_File file = opened("file_ended_other.1");
    MPI_File_write_at_all_begin(file, 0, values, 4, MPI_INT);
    MPI_File_read_at_all_end(file, values, MPI_STATUS_IGNORE);  // @end
    MPI_File_close(&file);
    file = opened("file_ended_other.2");
    MPI_File_iwrite_at(file, 0, values, 4, MPI_INT, &request);  // @write
    MPI_File_close(&file);  // @close
    return finish();
}
