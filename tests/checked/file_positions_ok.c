/* Rank 0 writes nothing at its file pointer where the others write at offsets. The standard asks for
 * one procedure; libraries that write files in parallel rely on it that both are one operation.
 *
 *   ranks: 3
 *   find: note | different collectives | 0 1 2 | MPI_File_write_all LINE(pointer)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_positions_ok.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int round = 0; round < 2; ++round) {
        if (rank == 0) {
            MPI_File_write_all(file, NULL, 0, MPI_INT, MPI_STATUS_IGNORE);  // @pointer
        } else {
            MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof value, &value, 1, MPI_INT,
                                  MPI_STATUS_IGNORE);
        }
    }
    MPI_File_close(&file);
    return finish();
}
