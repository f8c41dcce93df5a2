/* A task waits for a request that another task waits for, too.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(request)
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
#pragma omp task shared(request)
        {
            int flag;
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}
