/* Two ranks send each other a message in two parts. When a test finds the second part sent, the first
 * one must have been, too: it was received before. Waiting for it can't last, although the test has
 * found what was only buffered.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int other = 1 - rank;
    int out[2] = {rank, rank + 1}, in[2], sent = 0, there = 0, received = 0;
    MPI_Request parts[2];
    MPI_Isend(&out[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &parts[0]);
    MPI_Isend(&out[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &parts[1]);
    while (!sent || !received) {
        if (!sent) {
            MPI_Test(&parts[1], &sent, MPI_STATUS_IGNORE);
            if (sent) MPI_Wait(&parts[0], MPI_STATUS_IGNORE);
        } else {
            MPI_Iprobe(other, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            if (!there) continue;
            MPI_Recv(&in[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&in[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            received = 1;
        }
    }
    return finish();
}
