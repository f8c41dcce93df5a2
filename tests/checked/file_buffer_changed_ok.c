/* What is written to a file is changed behind the write, and what is read is used behind the read;
 * what is being written may be read, and sent.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int values[4] = {0, 1, 2, 3}, read[4] = {0}, other = 0;
    MPI_Request request;
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "file_buffer_changed_ok.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (int step = 0; step < 3; ++step) {
        MPI_File_iwrite_at(file, 16 * (2 * step + rank), values, 4, MPI_INT, &request);
        if (values[step] != step) printf("%d\n", values[step]);
        MPI_Sendrecv(values, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        values[1] = step + 1;
        MPI_File_iread_at(file, 16 * (2 * step + rank), read, 4, MPI_INT, &request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        values[2] = read[2];
    }
    MPI_File_read_at_all_begin(file, 16 * rank, read, 4, MPI_INT);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all_end(file, read, MPI_STATUS_IGNORE);
    read[0] = 5;
    MPI_File_close(&file);
    return finish();
}
