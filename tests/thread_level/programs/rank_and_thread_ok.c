/* GCC makes one comparison of two with 0: both hold.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int size;

static void answer(int* value, int rank, int round) {
    int me = omp_get_thread_num();
    if (rank != 0 || round != 0 || me != 0) return;
    MPI_Send(value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (rank == 0 && me == 0)
            MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!rank && !argc && !me) MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank || me) {
            value = 2;
        } else {
            MPI_Send(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        }
        if (size == 0 && me == 0) MPI_Send(&value, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        answer(&value, rank, argc);
    }
    MPI_Finalize();
}
