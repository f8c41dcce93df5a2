/* Two broadcasts on two communicators, in different order on the ranks: they get through only
 * because a root does not wait for the others.
 *
 *   ranks: 2
 *   find: warning | potential deadlock | 0 1 | MPI_Bcast LINE(first)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm other;
    int one = rank, two = rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    if (rank == 0) {
        MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);  // @first
        MPI_Bcast(&two, 1, MPI_INT, 0, other);
    } else {
        MPI_Bcast(&two, 1, MPI_INT, 0, other);
        MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&other);
    return finish();
}
