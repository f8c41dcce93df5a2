/* A split collective write after the other, and one at the same time by another handle.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    int one[4] = {0}, two[4] = {1};
    MPI_File file, other;
    MPI_File_open(MPI_COMM_WORLD, "split_writes_two_ok.tmp", mode, MPI_INFO_NULL, &file);
    MPI_File_open(MPI_COMM_WORLD, "split_writes_two_ok.other.tmp", mode, MPI_INFO_NULL, &other);
    MPI_File_write_at_all_begin(file, 16 * rank, one, 4, MPI_INT);
    MPI_File_write_at_all_begin(other, 16 * rank, two, 4, MPI_INT);
    MPI_File_write_at_all_end(file, one, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(other, two, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 32 + 16 * rank, two, 4, MPI_INT);
    MPI_File_write_at_all_end(file, two, MPI_STATUS_IGNORE);
    MPI_File_close(&other);
    MPI_File_close(&file);
    return finish();
}
