/* Both processes of one group of an intercommunicator say that they are the root.
 *
 *   ranks: 4
 *   find: error | wrong root process | 0 1 2 3 | MPI_Bcast LINE(bcast)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int group = rank / 2;
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, group == 0 ? 2 : 0, 5, &inter);
    int value = rank;
    const int root = group == 1 ? 0 : MPI_ROOT;
    MPI_Bcast(&value, 1, MPI_INT, root, inter);  // @bcast
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return finish();
}
