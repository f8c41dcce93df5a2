/* One group of MPI_Intercomm_create takes another process for the leader of the other group than this
 * does.
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
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, rank < 2 ? 3 : 0, 7, &both);  // @create
    MPI_Comm_free(&both);
    MPI_Comm_free(&group);
    return finish();
}
