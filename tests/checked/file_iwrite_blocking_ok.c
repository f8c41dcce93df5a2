/* A nonblocking collective access to a file, by different calls of the same procedure.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    static int values[4] = {1, 2, 3, 4};
    const char* const name = "file_iwrite_blocking_ok.data";
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  name,
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    if (rank == 0) {
        MPI_File_iwrite_at_all(file, 0, values, 4, MPI_INT, &request);
    } else {
        MPI_File_iwrite_at_all(file, 16, values, 4, MPI_INT, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
