/* Ranks 0 and 1 wait for each other; the others exchange messages for ever. */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = 0;
    if (rank < 2) MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const struct timespec pause = {0, 1000000};
    for (;;) {
        int other = 0;
        MPI_Sendrecv(&value, 1, MPI_INT, rank, 1, &other, 1, MPI_INT, rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        nanosleep(&pause, NULL);
    }
}
