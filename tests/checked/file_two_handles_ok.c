/* A process reads by one handle what it has written by another one that it has closed, and by one
 * that was opened since.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = "file_two_handles_ok.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
    int numbers[4] = {rank, 1, 2, 3}, seen[4] = {0};
    MPI_File all, own;
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &own);
        MPI_File_write_at(own, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_read_at(own, 0, seen, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&own);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, mode | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &all);
    MPI_File_read_at(all, 0, seen, 4, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &own);
        MPI_File_write_at(own, 16, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&own);
    }
    MPI_File_sync(all);
    if (rank == 0) MPI_File_read_at(all, 16, seen, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&all);
    return finish();
}
