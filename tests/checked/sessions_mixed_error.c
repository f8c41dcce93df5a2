/* Groups of two sessions in a call, and a communicator of a session beside MPI_COMM_WORLD.
 *
 *   ranks: 2
 *   find: error | invalid argument | 0 1 | MPI_Group_union LINE(union)
 *   find: error | invalid argument | 0 1 | MPI_Comm_compare LINE(compare)
 */
#include "tests/checked/checked.h"

int main(int argc, char** argv) {
    const int root = 0;
    int result;
    MPI_Session first, second;
    MPI_Group of_first, of_second, one, both;
    MPI_Comm comm;
    start(&argc, &argv);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first); 
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &second);
    MPI_Group_from_session_pset(first, "mpi://WORLD", &of_first);
    MPI_Group_from_session_pset(second, "mpi://WORLD", &of_second);
    MPI_Group_incl(of_first, 1, &root, &one);
    MPI_Group_union(one, of_second, &both);  // @union
    MPI_Comm_create_from_group(of_first, "work", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);  // @compare
    MPI_Group_free(&both);
    MPI_Group_free(&one);
    MPI_Group_free(&of_second);
    MPI_Group_free(&of_first);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&second);
    MPI_Session_finalize(&first);
    return finish();
}
