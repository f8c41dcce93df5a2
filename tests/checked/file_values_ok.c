/* The processes give a file one size, mode and place of its shared pointer; any number is true.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  "file_values_ok.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_size(file, 100);
    MPI_File_preallocate(file, 200);
    MPI_File_seek_shared(file, 8, MPI_SEEK_SET);
    MPI_File_set_atomicity(file, 1);
    MPI_File_close(&file);
    return finish();
}
