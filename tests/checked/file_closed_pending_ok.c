/* A file is closed when what was read from it is known to be there.
 *
 *   ranks: 1
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    static int values[4] = {1, 2, 3, 4};
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_closed_pending_ok.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 0, values, 4, MPI_INT, &request);
    int flag = 0;
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
