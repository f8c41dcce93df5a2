/* Different views for the individual file pointers, and the same one for the shared pointer: once
 * made of one type, once of another.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Datatype pair;
    MPI_File file;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_File_open(MPI_COMM_WORLD, "shared_pointer_views.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 64 * rank, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 128, MPI_INT, rank == 0 ? MPI_INT : pair, "native", MPI_INFO_NULL);
    MPI_File_write_shared(file, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&pair);
    return finish();
}
