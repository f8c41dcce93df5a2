/* Rank 1 is in no group, and uses the communicator that it does not get; another one has been freed
 * before.
 *
 *   ranks: 2
 *   find: error | invalid argument | 1 | MPI_Barrier LINE(use)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    start(&argc, &argv);
    const int first = 0;
    MPI_Group all, one;
    MPI_Comm other, copy;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &first, &one);
    MPI_Comm_create(MPI_COMM_WORLD, one, &other);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    MPI_Group_free(&one);
    MPI_Group_free(&all);
    MPI_Barrier(other);  // @use
    MPI_Comm_free(&other);
    return finish();
}
