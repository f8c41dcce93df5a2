/* A truth value of each thread: for all but the first one, or of something else.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static bool is_other;
static bool is_even;
#pragma omp threadprivate(is_other, is_even)

static void report(int value) {
    if (!is_even) return;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, value, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        is_other = thread != 0;
        is_even = thread % 2 == 0;
        report(thread);
#pragma omp barrier
        if (is_other) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
