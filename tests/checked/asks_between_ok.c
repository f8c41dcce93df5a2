/* A worker asks for orders while it computes; somebody ends the job then: it was at work.
 *
 *   ranks: 2
 *   stuck
 */
#include "tests/checked/checked.h"

/* Asks so many times whether there is an order. */
static void compute(int times) {
    int is_there = 0;
    while (times-- > 0 && !is_there)
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int result = 0;
    const int rank = start(&argc, &argv);

    while (result >= 0) {
        if (rank == 0) {
            MPI_Recv(&result, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            compute(50000);
            MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    return finish();
}
