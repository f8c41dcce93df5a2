/* One rank is missing from a barrier on a split communicator; the ranks of the
 * other half have passed theirs and wait for all in the next barrier.
 *
 * expect: deadlock
 * ranks: 4
 * core: 0 2
 * wait: 0 all 2 MPI_Barrier LINE(half)
 * wait: 2 all 0 MPI_Recv LINE(receive)
 * call: 1 MPI_Barrier LINE(all)
 * call: 3 MPI_Barrier LINE(all)
 * victim: 1 0
 * victim: 3 0
 */
#include "tests/programs/scenario.h"

int main(int argc, char** argv) {
    int rank = start(&argc, &argv);
    int value = 0;
    MPI_Comm half;
    MPI_Status status;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, rank % 2 == 0 ? "even ranks" : "odd ranks");
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);  // @receive
    }
    MPI_Barrier(half);            // @half
    MPI_Barrier(MPI_COMM_WORLD);  // @all
    return finish();
}
