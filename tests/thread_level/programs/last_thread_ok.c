/* The last thread of the team, and each in its turn, in functions that the team calls.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static double mine, all;

static void by_last(void) {
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1)
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

static void by_middle(void) {
    const int thread = omp_get_thread_num();
    const int threads = omp_get_num_threads();
    const int middle = threads / 2;
    if (thread == middle) MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

static void by_each(void) {
    for (int i = 0; i < omp_get_num_threads(); ++i) {
        if (omp_get_thread_num() == i) MPI_Send(&mine, 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
#pragma omp barrier
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    for (int i = 0; i < 3; ++i) {
        by_last();
        by_middle();
        by_each();
    }
    MPI_Finalize();
}
