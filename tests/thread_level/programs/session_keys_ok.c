/* The level of a session, which is asked for by texts in variables.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(void) {
    const char set[] = "mpi://WORLD";
    const char key[] = "thread_level";
    const char* level = "MPI_THREAD_MULTIPLE";
    MPI_Session session = MPI_SESSION_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm all = MPI_COMM_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, level);
    MPI_Session_init(info, MPI_ERRORS_RETURN, &session);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, set, &group);
    MPI_Comm_create_from_group(group, "org.example", MPI_INFO_NULL, MPI_ERRORS_RETURN, &all);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, all);
    }
    MPI_Group_free(&group);
    MPI_Comm_free(&all);
    MPI_Session_finalize(&session);
    return 0;
}
