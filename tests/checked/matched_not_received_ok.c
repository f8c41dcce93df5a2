/* Rank 1 receives the message that it has matched.
 * 
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Message message;
    int value = 0;
    const int rank = start(&argc, &argv);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    return finish();
}
