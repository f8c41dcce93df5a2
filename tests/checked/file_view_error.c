/* Ranks write a file through views of their own; the datatype of the view is never freed. What
 * the library makes besides is its own affair.
 *
 *   ranks: 2
 *   find: warning | leaked datatype | 0 1 | MPI_Type_create_subarray LINE(made)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "file_view_error.data";
    const int size = 8, part = 4;
    const int rank = start(&argc, &argv);
    const int begin = part * rank;
    int data[4] = {rank, 1, 2, 3};
    MPI_File file;
    MPI_Datatype view;
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_Type_create_subarray(1, &size, &part, &begin, MPI_ORDER_C, MPI_INT, &view);  // @made
    MPI_Type_commit(&view);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, data, part, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return finish();
}
