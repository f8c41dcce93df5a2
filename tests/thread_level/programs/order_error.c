/* A critical section keeps the collectives apart, but not in one order.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp section
        {
            int value = 0;
#pragma omp critical
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-collective-order */
        }
    }
    MPI_Finalize();
}
