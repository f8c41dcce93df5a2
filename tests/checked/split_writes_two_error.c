/* A second collective write of the file is begun before the first has ended.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write_at_all_begin LINE(second)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int one[4] = {0}, two[4] = {1};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "split_writes_two_error.tmp",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_at_all_begin(file, 16 * rank, one, 4, MPI_INT);
    MPI_File_write_at_all_begin(file, 32 + 16 * rank, two, 4, MPI_INT);  // @second
    MPI_File_write_at_all_end(file, one, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file, two, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
