/* Of the operations on a file that are begun and ended by calls of their own there may be one at a
 * time (MPI 4.0, 14.4.5).
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write_at_all_begin LINE(second)
 *   may: MPI error
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "split_twice_error.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    const int rank = start(&argc, &argv);
    const int first[2] = {rank, 1};
    const int second[2] = {rank, 2};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    MPI_File_write_at_all_begin(file, 8 * rank, first, 2, MPI_INT);
    MPI_File_write_at_all_begin(file, 16 + 8 * rank, second, 2, MPI_INT);  // @second
    MPI_File_write_at_all_end(file, first, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file, second, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
