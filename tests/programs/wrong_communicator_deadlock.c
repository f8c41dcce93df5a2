/* The right peer sends the right tag, but on another communicator.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(answer)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 1 side channel
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    MPI_Comm side;
    MPI_Comm_dup(MPI_COMM_WORLD, &side);
    MPI_Comm_set_name(side, "side channel");
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 42, side);
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &status);  // @answer
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 42, MPI_COMM_WORLD, &status);  // @receive
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    return finish();
}
