/* Two threads wait for one request.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int value = 0;
    MPI_Request request;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
#pragma omp parallel num_threads(2)
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    MPI_Finalize();
}
