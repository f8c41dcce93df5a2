/* ROMIO makes datatypes of its own for a view whose first bytes are left out, and frees them without
 * a call that anybody sees. Their handles come back for the program's own datatypes, which are smaller.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

enum { kRounds = 4, kColumns = 6 };

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    float values[kColumns] = {0};
    MPI_File file;
    MPI_File_open(MPI_COMM_SELF, rank == 0 ? "view_reuse.0" : "view_reuse.1",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int round = 0; round < kRounds; ++round) {
        int blocks[2] = {512, 1}, sizes[2] = {6, 16}, parts[2] = {6, 4}, from[2] = {0, 0};
        MPI_Aint places[2] = {0, 512};
        MPI_Datatype kinds[2] = {MPI_BYTE, MPI_DATATYPE_NULL}, view, rows[kColumns];
        MPI_Type_create_subarray(2, sizes, parts, from, MPI_ORDER_C, MPI_DOUBLE, &kinds[1]);
        MPI_Type_create_struct(2, blocks, places, kinds, &view);
        MPI_Type_commit(&view);
        MPI_File_set_view(file, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
        MPI_Type_free(&view);
        MPI_Type_free(&kinds[1]);
        MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
        for (int i = 0; i < kColumns; ++i) {
            MPI_Type_contiguous(i + 1, MPI_FLOAT, &rows[i]);
            MPI_Type_commit(&rows[i]);
        }
        for (int i = 0; i < kColumns; ++i) {
            char packed[kColumns * sizeof(float)];
            int position = 0;
            MPI_Pack(values, 1, rows[i], packed, (i + 1) * (int)sizeof(float), &position, MPI_COMM_SELF);
            MPI_Type_free(&rows[i]);
        }
    }
    MPI_File_close(&file);
    return finish();
}
