/* The root has left a broadcast and waits for an answer of rank 3. Rank 3 is
 * still in the broadcast because rank 2, through which MPICH passes the data on,
 * computes: the root does not hold rank 3 up, so there is no cycle.
 *
 * All are connected before: on ch3:sock even a short message waits for a connection.
 *
 * expect: none
 * ranks: 4
 * running: 2
 * call: 0 MPI_Recv LINE(answer)
 * call: 1 MPI_Recv LINE(next)
 * call: 3 MPI_Bcast LINE(broadcast)
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = rank;
    int to_each[4] = {0};
    int of_each[4];
    MPI_Status status;
    MPI_Alltoall(to_each, 1, MPI_INT, of_each, 1, MPI_INT, MPI_COMM_WORLD);
    if (rank == 2) {
        compute_until_released();
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @broadcast
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, &status);  // @answer
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);  // @next
    } else if (rank == 3) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return finish();
}
