/* A buffer with just the room that the send needs.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    static char space[sizeof(int) + MPI_BSEND_OVERHEAD];
    void* buffer;
    int bytes;
    const int rank = start(&argc, &argv);
    int value = rank;
    MPI_Buffer_attach(space, sizeof space);
    if (rank == 0) MPI_Bsend(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &bytes);
    return finish();
}
