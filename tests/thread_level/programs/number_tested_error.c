/* Functions that say whether the number is not 0, and that are handed another number.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static int is_first(int thread) {
    return thread == 0;
}

static int is_other(const char* name, int thread) {
    return thread != 0;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        if (is_first(me / 2))
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel
    {
        if (is_other("me", omp_get_thread_num()))
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
