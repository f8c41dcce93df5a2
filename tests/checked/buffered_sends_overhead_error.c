/* Four messages are in the buffer before any can be received: it has MPI_BSEND_OVERHEAD for one.
 *
 *   ranks: 2
 *   find: warning | invalid argument | 0 | MPI_Bsend LINE(send)
 */
#include "tests/checked/checked.h"

enum { kMessages = 4, kNumbers = 256 };

int main(int argc, char** argv) {
    static char space[kMessages * kNumbers * sizeof(double) + MPI_BSEND_OVERHEAD];
    static double numbers[kNumbers];
    int bytes;
    void* buffer;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Buffer_attach(space, sizeof space);
        for (int i = 0; i < kMessages; ++i)
            MPI_Bsend(numbers, kNumbers, MPI_DOUBLE, 1, i, MPI_COMM_WORLD);  // @send
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < kMessages; ++i)
        MPI_Recv(numbers, kNumbers, MPI_DOUBLE, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Buffer_detach(&buffer, &bytes);
    return finish();
}
