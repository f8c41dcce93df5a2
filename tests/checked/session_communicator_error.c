/* What was made of a session outlives it: nobody can free that any more.
 *
 *   ranks: 2
 *   find: warning | leaked communicator | 0 1 | MPI_Comm_dup LINE(dup)
 */
#include <mpi.h>

int main(void) {
    MPI_Session session;
    MPI_Group all;
    MPI_Comm comm, copy;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "work", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&all);
    MPI_Comm_dup(comm, &copy);  // @dup
    MPI_Barrier(copy);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
