/* Messages go back and forth; then both wait for one, until somebody ends the job.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Recv LINE(answer)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int number = 0;
    const int rank = start(&argc, &argv);

    for (int i = 0; number >= 0; ++i) {
        if (rank == 0) {
            if (i < 1000) MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @answer
        } else {
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    return finish();
}
