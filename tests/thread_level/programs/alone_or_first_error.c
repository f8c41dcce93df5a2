/* Twin of alone_or_first_ok.c: several threads come there.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int kept = 1;

static void first(void) {
    if (kept == 1 || omp_get_thread_num() == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int threads = omp_get_num_threads();
        const int me = omp_get_thread_num();
        if (threads == 2 || me == 0)
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
#pragma omp single
        kept = omp_get_num_threads() / 4;
        if (me == 0 || threads < 3)
            MPI_Barrier(MPI_COMM_WORLD);
    }
#pragma omp parallel
    first();
    MPI_Finalize();
}
