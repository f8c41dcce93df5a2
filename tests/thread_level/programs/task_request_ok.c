/* A task waits for the request, and the next one depends on it.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Request request;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(request, value) depend(out : request)
        MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp task shared(request) depend(inout : request)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#pragma omp taskwait
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
