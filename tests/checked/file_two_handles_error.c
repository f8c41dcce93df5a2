/* A process reads by one handle what it has just written by another handle of the same file.
 *
 *   ranks: 2
 *   find: error | file conflict | 0 | MPI_File_read_at LINE(read)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = "file_two_handles_error.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    int numbers[4] = {rank, 1, 2, 3}, seen[4] = {0};
    MPI_File all, own;
    MPI_File_open(MPI_COMM_WORLD, name, mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &all);
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &own);
        MPI_File_write_at(own, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at(all, 0, seen, 4, MPI_INT, MPI_STATUS_IGNORE);  // @read
        MPI_File_close(&own);
    }
    MPI_File_close(&all);
    return finish();
}
