/* A group is made of a process set that MPI does not know.
 *
 *   ranks: 1
 *   find: error | invalid argument | 0 | MPI_Group_from_session_pset LINE(group)
 */
#include <mpi.h>

int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "app://ocean", &group);  // @group
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return 0;
}
