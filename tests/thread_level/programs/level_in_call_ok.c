/* A function that is only called with the level that it needs.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <omp.h>

static void run(void) {
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD);
#pragma omp barrier
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    int rank = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided >= MPI_THREAD_MULTIPLE) {
        run();
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
