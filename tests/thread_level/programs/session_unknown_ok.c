/* Two sessions, one of which asks for a level that is not known here, from several threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(void) {
#pragma omp parallel
    {
        MPI_Session session;
        MPI_Info info;
        int value = omp_get_thread_num();
        MPI_Info_create(&info);
        MPI_Info_set(info, "thread_level", getenv("THREAD_LEVEL"));
        MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
        MPI_Session_finalize(&session);
    }
}
