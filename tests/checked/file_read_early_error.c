/* Rank 1 reads what rank 0 has written before it, but they have not synchronised the file behind the
 * barrier.
 *
 *   ranks: 2
 *   find: error | file conflict | 0 1 | MPI_File_read_at LINE(read)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {rank, rank, rank, rank};
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_read_early_error.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    if (rank == 0) MPI_File_write_at(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_File_read_at(file, 8, values, 1, MPI_INT, MPI_STATUS_IGNORE);  // @read
    MPI_File_close(&file);
    return finish();
}
