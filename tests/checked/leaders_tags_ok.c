/* The two groups of MPI_Intercomm_create give the same tag, others than the leaders anything as the
 * remote one.
 *
 *   ranks: 4
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm group;
    MPI_Comm both;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &group);
    const int remote = rank == 0 ? 2 : rank == 2 ? 0 : rank;
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, remote, 7, &both);
    MPI_Barrier(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    return finish();
}
