/* Sessions without MPI_Init: rank 1 receives what rank 0 has sent as another type.
 *
 *   ranks: 2
 *   find: error | wrong data type | 0 1 | MPI_Send LINE(send)
 */
#include "tests/checked/checked.h"

int main(void) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, number = 0;
    float real = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "pair", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Group_free(&group);
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_INT, 1, 0, comm); // @send
    } else {
        MPI_Recv(&real, 1, MPI_FLOAT, 0, 0, comm, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return EXIT_SUCCESS;
}
