/* Variables of all threads in which each one puts its number, or whether that is 0.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

int main(int argc, char** argv) {
    int provided, me, is_first, arrived = 0, mine;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        me = omp_get_thread_num();
        if (me == 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
        is_first = omp_get_thread_num() == 0;
        if (is_first) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
#pragma omp critical
        mine = ++arrived;
        if (mine == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel shared(me)
    {
#pragma omp critical
        me = omp_get_thread_num();
#pragma omp critical
        if (me == 0) MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
