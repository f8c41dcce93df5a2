/* Two collectives in the same order on both ranks, each with its own communicator.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank, result[2] = {0};
    MPI_Comm other;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Reduce(&value, result, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(&value, 1, MPI_INT, result, 1, MPI_INT, 0, other);
    MPI_Comm_free(&other);
    return finish();
}
