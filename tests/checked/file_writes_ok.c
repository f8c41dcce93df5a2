/* Both processes write to a file: to bytes between each other's, to the same ones in atomic mode, to
 * the same ones one behind the other, to the same ones of files of their own, and the same head to
 * the same ones.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

static void synchronise(MPI_File file) {
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
}

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    int values[4] = {rank, rank, rank, rank};
    int head[3] = {1, 2, 3};
    char name[] = "file_writes_ok.0.tmp";
    MPI_File file, own;
    MPI_Datatype every_second, blocks, one_of_two;
    MPI_File_open(MPI_COMM_WORLD, "file_writes_ok.tmp", mode, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, 16 * rank, values, 4, MPI_INT, MPI_STATUS_IGNORE);

    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_File_set_view(file, 64 + 4 * rank, MPI_INT, every_second, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, values, 4, MPI_INT, MPI_STATUS_IGNORE);

    /* Two integers of each eight, three at a time. */
    MPI_Type_contiguous(2, MPI_INT, &blocks);
    MPI_Type_create_resized(blocks, 0, 4 * sizeof(int), &one_of_two);
    MPI_Type_commit(&one_of_two);
    MPI_File_set_view(file, 128 + 8 * rank, MPI_INT, one_of_two, "native", MPI_INFO_NULL);
    for (int step = 0; step < 4; ++step)
        MPI_File_write(file, values, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 5, MPI_SEEK_CUR);
    MPI_File_write(file, values, 3, MPI_INT, MPI_STATUS_IGNORE);

    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    synchronise(file);
    if (rank == 0) MPI_File_write_at(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    synchronise(file);
    if (rank == 1) MPI_File_write_at(file, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    synchronise(file);

    MPI_File_write_at(file, 4096, head, 3, MPI_INT, MPI_STATUS_IGNORE);
    synchronise(file);

    MPI_File_set_atomicity(file, 1);
    MPI_File_write_at(file, 1024, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);

    name[15] = (char)('0' + rank);
    MPI_File_open(MPI_COMM_SELF, name, mode, MPI_INFO_NULL, &own);
    MPI_File_write_at(own, 0, values, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&own);
    MPI_Type_free(&every_second);
    MPI_Type_free(&blocks);
    MPI_Type_free(&one_of_two);
    return finish();
}
