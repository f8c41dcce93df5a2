/* Rank 0 reads at its file pointer what the others write at offsets.
 *
 *   ranks: 3
 *   stuck
 *   find: error | different collectives | 0 1 2
 *   may: potential deadlock
 *   may: real hang-up
 *   may: real deadlock
 *   may: incomplete call
 *   may: incomplete gop
 *   may: unfinished gop
 *   may: wrong data access
 *   may: MPI error
 *   may: abort
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_positions_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 64);
    if (rank == 0) {
        MPI_File_read_all(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    } else {
        MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof value, &value, 1, MPI_INT,
                              MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    return finish();
}
