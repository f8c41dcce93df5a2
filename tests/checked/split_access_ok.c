/* What is not collective may come in between, and what is on another handle.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static MPI_File opened(const char* name, int rank) {
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  name,
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * 64, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    return file;
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int one[4] = {rank};
    const int other[4] = {rank};
    MPI_File file = opened("split_access_ok.dat", rank);
    MPI_File second = opened("split_access_ok_2.dat", rank);
    MPI_File_write_all_begin(file, one, 4, MPI_INT);
    MPI_File_write_at(file, 8, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all(second, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all_end(file, one, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, other, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&second);
    MPI_File_close(&file);
    return finish();
}
