/* What was made of a session is freed before it ends, and after the end of another one.
 *
 *   ranks: 2
 */
#include <mpi.h>

int main(void) {
    MPI_Session session, other;
    MPI_Group all;
    MPI_Comm comm, copy;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "work", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&all);
    MPI_Comm_dup(comm, &copy);
    MPI_Barrier(copy);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &other);
    MPI_Session_finalize(&other);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
}
