/* A collective write while another one has begun on the same file, and has not ended.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write_all LINE(within)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one[4] = {rank};
    const int other[4] = {rank};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  "split_access_error.dat",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * 32, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_all_begin(file, one, 4, MPI_INT);
    MPI_File_write_all(file, other, 4, MPI_INT, MPI_STATUS_IGNORE);  // @within
    MPI_File_write_all_end(file, one, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
