/* The ranks set views of one file whose etypes are of different lengths.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_set_view LINE(view)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = "file_view_etypes_error.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    const MPI_Datatype type = rank == 0 ? MPI_INT : MPI_DOUBLE;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, type, type, "native", MPI_INFO_NULL);  // @view
    MPI_File_close(&file);
    return finish();
}
