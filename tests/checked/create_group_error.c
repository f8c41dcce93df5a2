/* In the second group only rank 0 broadcasts.
 *
 *   ranks: 3
 *   find: error | incomplete gop | 0 2 | MPI_Bcast LINE(bcast)
 *   may: potential hang-up
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    int value = rank;
    const int both[] = {0, 2}, one[] = {2};
    MPI_Group all, groups[2];
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, one, &groups[0]);
    MPI_Group_incl(all, 2, both, &groups[1]);
    for (int i = 0; i < 2; ++i) {
        MPI_Comm made;
        if (rank != 2 && (i == 0 || rank != 0)) continue;
        MPI_Comm_create_group(MPI_COMM_WORLD, groups[i], 0, &made);
        if (rank == 0) MPI_Bcast(&value, 1, MPI_INT, 0, made);  // @bcast
        MPI_Comm_free(&made);
    }
    MPI_Group_free(&groups[0]);
    MPI_Group_free(&groups[1]);
    MPI_Group_free(&all);
    return finish();
}
