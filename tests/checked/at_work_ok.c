/* Messages go back and forth until somebody ends the job: it was at work.
 *
 *   ranks: 2
 *   stuck
 */
#include <unistd.h>

#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    int number = 0;
    const int rank = start(&argc, &argv);

    while (number >= 0) {
        if (rank == 0) {
            usleep(1000);
            MPI_Send(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    return finish();
}
