/* A process writes where its own nonblocking read of the same handle is not yet completed.
 *
 *   ranks: 2
 *   find: error | file conflict | 0 1 | MPI_File_write_at LINE(write)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[8] = {0}, more[4] = {1, 2, 3, 4};
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD,
                  "file_own_pending_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    const MPI_Offset mine = (MPI_Offset)rank * (MPI_Offset)sizeof numbers;
    MPI_File_write_at(file, mine, numbers, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, mine, numbers, 8, MPI_INT, &request);
    MPI_File_write_at(file, mine + 16, more, 4, MPI_INT, MPI_STATUS_IGNORE);  // @write
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
