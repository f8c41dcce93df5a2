/* The two groups of MPI_Intercomm_create_from_groups give different string tags.
 *
 *   ranks: 4
 *   stuck
 *   find: error | invalid argument | 0 1 2 3 | MPI_Intercomm_create_from_groups LINE(create)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int rank = start(&argc, &argv);
    const int low[2] = {0, 1}, high[2] = {2, 3};
    MPI_Group all, own, remote;
    MPI_Comm both;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 2, rank < 2 ? low : high, &own);
    MPI_Group_incl(all, 2, rank < 2 ? high : low, &remote);
    const char* const tag = rank < 2 ? "left" : "right";
    MPI_Intercomm_create_from_groups(  // @create
        own,
        0,
        remote,
        0,
        tag,
        MPI_INFO_NULL,
        MPI_ERRORS_ARE_FATAL,
        &both);
    MPI_Group_free(&own);
    MPI_Group_free(&remote);
    MPI_Group_free(&all);
    MPI_Comm_free(&both);
    return finish();
}
