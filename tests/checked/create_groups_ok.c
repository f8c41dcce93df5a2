/* Ranks 0 and 1 ask for a communicator of their own, rank 2 for theirs, and for one with itself.
 *
 *   ranks: 3
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int pair_ranks[2] = {1, 0}, last_rank[1] = {2};
    int value = rank;
    MPI_Group all, pair, last;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, pair_ranks, &pair);
    MPI_Group_incl(all, 1, last_rank, &last);
    MPI_Group const groups[3] = {pair, rank < 2 ? pair : last, rank < 2 ? pair : MPI_GROUP_EMPTY};
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_create(MPI_COMM_WORLD, groups[i], &made);
        if (made == MPI_COMM_NULL) continue;
        MPI_Bcast(&value, 1, MPI_INT, 0, made);
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&last);
    MPI_Group_free(&pair);
    MPI_Group_free(&all);
    return finish();
}
