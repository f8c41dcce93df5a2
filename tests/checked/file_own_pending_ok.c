/* A process writes beside what its own nonblocking read is to have, and there when that is over.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int numbers[8] = {0}, more[4] = {1, 2, 3, 4};
    MPI_File file;
    MPI_Request requests[2];
    MPI_File_open(MPI_COMM_WORLD,
                  "file_own_pending_ok.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL,
                  &file);
    const MPI_Offset mine = (MPI_Offset)rank * (MPI_Offset)sizeof numbers;
    MPI_File_write_at(file, mine, numbers, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, mine, numbers, 4, MPI_INT, &requests[0]);
    MPI_File_iwrite_at(file, mine + 16, more, 4, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_write_at(file, mine, more, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, mine, numbers, 4, MPI_INT, &requests[0]);
    MPI_File_iread_at(file, mine, more, 4, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_File_close(&file);
    return finish();
}
