/* What may come first is not the same: a root of its own, or a barrier of which the request is asked for.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    double first = 0, second = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            MPI_Bcast(&first, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
#pragma omp section
        {
#pragma omp critical
            MPI_Bcast(&second, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD); /* expect: mpi-collective-order */
        }
    }
#pragma omp parallel sections
    {
#pragma omp section
        {
            MPI_Request request;
#pragma omp critical
            MPI_Ibarrier(MPI_COMM_WORLD, &request);
#pragma omp critical
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
#pragma omp section
        {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-collective-order */
        }
    }
    MPI_Finalize();
    return 0;
}
