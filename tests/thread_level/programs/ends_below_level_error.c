/* Where the level is too low, the program goes on without threads. A collective operation of all
   threads is wrong at any level.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    int sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE) goto rest;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
rest:
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
