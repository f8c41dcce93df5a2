/* Less than an element of the view of a file is written.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_File_write LINE(write)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[3] = {rank, 1, 2};
    MPI_File file;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_open(MPI_COMM_WORLD,
                  "file_part_of_element_error.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 32 * rank, pair, pair, "native", MPI_INFO_NULL);
    MPI_File_write(file, numbers, 3, MPI_INT, MPI_STATUS_IGNORE);  // @write
    MPI_File_close(&file);
    MPI_Type_free(&pair);
    return finish();
}
