/* One of three processes gives another string tag: the communicator is never made.
 *
 *   ranks: 3
 *   stuck
 *   find: error | invalid argument | 0 1 | MPI_Comm_create_from_group LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    MPI_Group all;
    MPI_Comm comm;
    const int rank = start(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    const char* const tag = rank == 1 ? "step1" : "step0";
    MPI_Comm_create_from_group(all, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);  // @create
    MPI_Group_free(&all);
    MPI_Comm_free(&comm);
    return finish();
}
