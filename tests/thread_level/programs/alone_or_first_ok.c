/* Where there is one thread only, that has the number 0, too.
   required: MPI_THREAD_FUNNELED, ways: all */
#include <mpi.h>
#include <omp.h>

static int kept = 1;

static void first(void) {
    if (kept == 1 || omp_get_thread_num() == 0) MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int threads = omp_get_num_threads();
        const int me = omp_get_thread_num();
        if (threads == 1 || me == 0) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp single
        kept = omp_get_num_threads();
        if (me == 0 || threads < 2) MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    first();
    MPI_Finalize();
}
