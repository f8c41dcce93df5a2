/* Both processes open the same file by themselves; rank 1 reads what rank 0 writes, and has
 * synchronised it since it was told.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {rank, rank, rank, rank};
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, "file_own_handles_ok.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR,
                  MPI_INFO_NULL, &file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_File_write(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_sync(file);
        MPI_Send(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_File_sync(file);
        MPI_File_read(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_File_delete("file_own_handles_ok.tmp", MPI_INFO_NULL);
    return finish();
}
