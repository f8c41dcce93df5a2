/* The right peer sends, but with another tag.
 *
 * expect: deadlock
 * ranks: 2
 * core: 0 1
 * wait: 0 all 1 MPI_Recv LINE(answer)
 * wait: 1 all 0 MPI_Recv LINE(receive)
 * hint: 1 tag 41
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 41, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &status);  // @answer
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 42, MPI_COMM_WORLD, &status);  // @receive
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    }
    return finish();
}
