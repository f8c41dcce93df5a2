/* That not both are 0 may be so for all threads, and one comparison of two other variables says
   nothing about threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (rank != 0 || me != 0)
            MPI_Send(&value, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (rank == 0 && argc == 0)
            MPI_Send(&value, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (rank == 0 && me == 0) {
            value = 3;
        } else {
            MPI_Send(&value, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
    MPI_Finalize();
}
