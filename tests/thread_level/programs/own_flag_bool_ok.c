/* Whether it is the first one, each thread keeps in a truth value of its own.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static bool is_first;
#pragma omp threadprivate(is_first)

static void report(int value) {
    if (!is_first) return;
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        is_first = omp_get_thread_num() == 0;
        report(1);
        if (is_first) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
