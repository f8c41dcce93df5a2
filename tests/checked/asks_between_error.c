/* A worker asks for orders while it computes; then it does not go on without one, for which it is
 * waited for.
 *
 *   ranks: 2
 *   stuck
 *   find: error | real deadlock | 0 1 | MPI_Recv LINE(result)
 */
#include "tests/checked/checked.h"

/* Asks so many times whether there is an order. */
static void compute(long times) {
    int is_there = 0;
    while (times-- > 0 && !is_there)
        MPI_Iprobe(0, 1, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int result = 0;
    const int rank = start(&argc, &argv);

    for (int i = 0; result >= 0; ++i) {
        if (rank == 0) {
            MPI_Recv(&result, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @result
        } else {
            compute(i < 10 ? 5000 : 1000000000);
            MPI_Send(&result, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    return finish();
}
