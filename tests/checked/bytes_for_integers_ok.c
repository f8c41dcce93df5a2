/* Bytes are received as bytes, and packed data as what was packed.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[4] = {0}, place = 0;
    char packed[64];
    if (rank == 0) {
        MPI_Send(data, 16, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Pack(data, 4, MPI_INT, packed, 64, &place, MPI_COMM_WORLD);
        MPI_Send(packed, place, MPI_PACKED, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(data, 16, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return finish();
}
