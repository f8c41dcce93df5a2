/* Groups of all process sets that MPI names.
 *
 *   ranks: 2
 */
#include <mpi.h>

int main(void) {
    MPI_Session session;
    int sets;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &sets);
    for (int set = 0; set < sets; ++set) {
        char name[MPI_MAX_PSET_NAME_LEN];
        int length = sizeof name;
        MPI_Group group;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, set, &length, name);
        MPI_Group_from_session_pset(session, name, &group);
        MPI_Group_free(&group);
    }
    MPI_Session_finalize(&session);
    return 0;
}
