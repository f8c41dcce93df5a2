/* The level is asked for again, in another function, and compared there.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <stdlib.h>

static void check(void) {
    int level;
    MPI_Query_thread(&level);
    if (level < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    check();
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
