/* Two broadcasts on two communicators, in the same order on all ranks.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm other;
    int one = rank, two = rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(&two, 1, MPI_INT, 0, other);
    } else {
        MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Bcast(&two, 1, MPI_INT, 0, other);
    }
    MPI_Comm_free(&other);
    return finish();
}
