/* Rank 0 asks for a message again and again, while its sender is at work.
 *
 *   ranks: 2
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, there = 0;
    MPI_Message message;
    const MPI_Comm all = MPI_COMM_WORLD;
    if (rank == 0) {
        while (!there)
            MPI_Improbe(1, 3, all, &there, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        usleep(200000);
        MPI_Send(&value, 1, MPI_INT, 0, 3, all);
    }
    return finish();
}
