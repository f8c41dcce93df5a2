/* Sessions without MPI_Init: a ring of messages.
 *
 *   ranks: 2
 */
#include "tests/checked/checked.h"

int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, size, in = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "ring", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return EXIT_SUCCESS;
}
