/* Functions that say whether the number that they are handed is 0; numbers without sign, from which
   1 is taken.
   required: MPI_THREAD_FUNNELED */
#include <stddef.h>

#include <omp.h>

#include <mpi.h>

static int is_first(int thread) {
    return thread == 0;
}

static int is_other(const char* name, int thread) {
    return thread != 0;
}

static size_t count = 1;

static size_t all(void) {
    return count;
}

static size_t last(void) {
    return all() - 1;
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        if (is_first(me)) MPI_Barrier(MPI_COMM_WORLD);
#pragma omp barrier
        if (!is_other("me", omp_get_thread_num())) MPI_Barrier(MPI_COMM_WORLD);
    }
    const size_t end = last();
    if (end - 1 == last()) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
