/* The ranks set views of one file with different file types of one etype.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const char* const name = "file_view_etypes_ok.data";
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_Datatype type;
    MPI_File file;
    MPI_Type_contiguous(1 + rank, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
    MPI_Type_free(&type);
    MPI_File_close(&file);
    return finish();
}
