/* Ranks that exchange small messages all the time. At any moment one may wait in
 * MPI_Recv for a message that lies unread in shared memory: not a deadlock.
 *
 * expect: none
 * on: ch3_sock suspected
 * ranks: 4
 * running: any
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int peer = rank ^ 1;
    int stop = 0;
    while (!stop) {
        if (rank < peer) {
            stop = released();
            MPI_Send(&stop, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
            MPI_Recv(&stop, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&stop, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&stop, 1, MPI_INT, peer, 2, MPI_COMM_WORLD);
        }
    }
    return finish();
}
