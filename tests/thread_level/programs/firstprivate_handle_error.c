/* Copies of a communicator, a window or a request, one for each thread, are of one and the same.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static MPI_Status statuses[4];

int main(int argc, char** argv) {
    int provided, value = 0;
    double memory[8] = {0};
    MPI_Comm comm;
    MPI_Win window;
    MPI_Request request, requests[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#pragma omp parallel firstprivate(comm)
    MPI_Barrier(comm); /* expect: mpi-concurrent-collectives */
    MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, comm, &window);
#pragma omp parallel firstprivate(window)
    MPI_Win_fence(0, window); /* expect: mpi-concurrent-request */
    MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
#pragma omp parallel firstprivate(request)
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    MPI_Irecv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[1]);
#pragma omp parallel firstprivate(requests)
    MPI_Waitall(2, requests, statuses); /* expect: mpi-concurrent-request */
#pragma omp parallel
#pragma omp single
    {
#pragma omp task firstprivate(comm)
        MPI_Barrier(comm); /* expect: mpi-concurrent-collectives */
#pragma omp task firstprivate(comm)
        MPI_Barrier(comm);
    }
    MPI_Win_free(&window);
    MPI_Comm_free(&comm);
    MPI_Finalize();
}
