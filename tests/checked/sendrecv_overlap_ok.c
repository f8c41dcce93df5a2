/* MPI_Sendrecv with neighbouring buffers, and MPI_Sendrecv_replace.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int data[8] = {rank};
    MPI_Sendrecv(data, 4, MPI_INT, 1 - rank, 0, data + 4, 4, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 8, MPI_INT, 1 - rank, 1, 1 - rank, 1, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    return finish();
}
