/* File types of whole elementary types, a derived one among these, and everything as bytes.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const char name[] = "file_view_types_ok.data";
    start(&argc, &argv);
    MPI_Datatype pair, pairs, pattern;
    MPI_File file;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(3, 1, 2, pair, &pairs);
    MPI_Type_vector(4, 2, 4, MPI_DOUBLE, &pattern);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&pairs);
    MPI_Type_commit(&pattern);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_DOUBLE, pattern, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, pair, pairs, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, MPI_BYTE, pattern, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
    MPI_Type_free(&pattern);
    MPI_Type_free(&pairs);
    MPI_Type_free(&pair);
    return finish();
}
