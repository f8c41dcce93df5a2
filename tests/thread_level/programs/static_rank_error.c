/* What is the same for all threads is no guard on one of them, in front of one on the others or
   without any.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int rank;

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me != 0 && rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == 1 && rank == 1)
            MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, /* expect: mpi-thread-level */
                     MPI_STATUS_IGNORE);
    }
#pragma omp parallel
    {
        if (rank == 2)
            MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
