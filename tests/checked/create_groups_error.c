/* Rank 1 asks for a communicator of ranks 1 and 2, rank 0 for one with rank 1.
 *
 *   ranks: 3
 *   find: error | invalid argument | 0 1 | MPI_Comm_create LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int members[2] = {rank < 2 ? rank : 1, rank < 2 ? rank + 1 : 2};
    MPI_Group all, pair;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, members, &pair);
    MPI_Comm_create(MPI_COMM_WORLD, pair, &made);  // @create
    if (made != MPI_COMM_NULL) MPI_Comm_free(&made);
    MPI_Group_free(&pair);
    MPI_Group_free(&all);
    return finish();
}
