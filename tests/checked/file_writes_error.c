/* Both processes write the same bytes of a file, at once.
 *
 *   ranks: 2
 *   find: error | file conflict | 0 1 | MPI_File_write_at LINE(first)
 *   find: error | file conflict | 0 1 | MPI_File_write_all LINE(view)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {rank, rank, rank, rank};
    MPI_File file;
    MPI_Datatype every_second;
    MPI_File_open(MPI_COMM_WORLD, "file_writes_error.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 12 * rank, values, 4, MPI_INT, MPI_STATUS_IGNORE);  // @first
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_File_set_view(file, 64 + 8 * rank, MPI_INT, every_second, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);  // @view
    MPI_Type_free(&every_second);
    MPI_File_close(&file);
    return finish();
}
