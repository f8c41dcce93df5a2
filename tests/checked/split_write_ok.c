/* The collective write is begun and ended.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {0, 1, 2, 3};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "split_write_ok.tmp",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_seek(file, 16 * rank, MPI_SEEK_SET);
    MPI_File_write_all_begin(file, values, 4, MPI_INT);
    MPI_File_write_all_end(file, values, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
