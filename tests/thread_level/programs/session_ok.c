/* A session that asks for the level it needs.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(void) {
    MPI_Session session;
    MPI_Info info;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_SERIALIZED");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tag", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
#pragma omp parallel
    {
#pragma omp single
        MPI_Barrier(comm);
    }
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}
