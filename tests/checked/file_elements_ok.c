/* What is written consists of whole elements of the view; without a view anything goes.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    double values[4] = {rank, 1, 2, 3};
    int numbers[12] = {rank};
    MPI_Datatype pair, triple;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_vector(2, 2, 3, MPI_INT, &triple);
    MPI_Type_commit(&pair);
    MPI_Type_commit(&triple);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD,
                  "file_elements_ok.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    MPI_File_write_at(file, 1000 + 32 * rank, values, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 32 * rank, pair, pair, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, numbers, 1, triple, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 128 + 32 * rank, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, values, 4, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&pair);
    MPI_Type_free(&triple);
    return finish();
}
