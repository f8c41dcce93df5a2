/* Rank 1 reads what rank 0 has written: behind the two calls of MPI_File_sync, in atomic mode, and
 * when the file has been closed and opened again. What was read before may then be written.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = "file_read_early_ok.tmp";
    int values[4] = {rank, rank, rank, rank};
    MPI_File file;
    MPI_Request request;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    if (rank == 0) {
        MPI_File_iwrite_at(file, 0, values, 4, MPI_INT, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_File_sync(file);
    MPI_Bcast(values, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_File_sync(file);
    if (rank == 1) MPI_File_read_at(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) MPI_File_write_at(file, 8, values, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_read_all(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_atomicity(file, 1);
    if (rank == 0) MPI_File_write_at(file, 64, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) MPI_File_read_at(file, 64, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    /* By handles of their own, one behind the other. */
    for (int turn = 0; turn < 2; ++turn) {
        if (turn == rank) {
            MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
            MPI_File_write(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);
            MPI_File_close(&file);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0) MPI_File_delete(name, MPI_INFO_NULL);
    return finish();
}
