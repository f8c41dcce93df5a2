/* The two processes of a group give different tags.
 *
 *   ranks: 2
 *   stuck
 *   find: error | invalid argument | 0 1 | MPI_Comm_create_group LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    MPI_Group all;
    MPI_Comm made;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_create_group(MPI_COMM_WORLD, all, rank, &made);  // @create
    MPI_Comm_free(&made);
    MPI_Group_free(&all);
    return finish();
}
