/* A file of doubles is looked at through a pattern of integers.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_set_view LINE(view)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "file_view_types_error.data";
    start(&argc, &argv);
    MPI_Datatype pattern;
    MPI_File file;
    MPI_Type_vector(4, 2, 4, MPI_INT, &pattern);
    MPI_Type_commit(&pattern);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, pattern, "native", MPI_INFO_NULL);  // @view
    MPI_File_close(&file);
    MPI_Type_free(&pattern);
    return finish();
}
