/* The two groups of MPI_Intercomm_create give different tags.
 *
 *   ranks: 4
 *   stuck
 *   find: error | invalid argument | 0 1 2 3 | MPI_Intercomm_create LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Comm group;
    MPI_Comm both;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &group);
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, rank / 2, &both);  // @create
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    return finish();
}
