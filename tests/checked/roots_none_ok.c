/* In a reduction on an intercommunicator the root says so, and the other group names it.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int group = rank / 2;
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, group == 0 ? 2 : 0, 5, &inter);
    int value = rank, sum = 0;
    const int root = group == 1 ? 1 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL;
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, root, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return finish();
}
