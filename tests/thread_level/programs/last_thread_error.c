/* Numbers that are not the same for all threads that compare theirs with them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static double mine, all;

static void by_last(int last) {
    if (omp_get_thread_num() == last)
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
}

static void by_own(void) {
    int own = omp_get_num_threads() - 1;
    if (omp_get_thread_num() > 1) own = omp_get_thread_num();
    if (omp_get_thread_num() == own)
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
}

static void by_others(void) {
    if (omp_get_thread_num() != omp_get_num_threads() - 1)
        MPI_Send(&mine, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        by_last(omp_get_thread_num());
        by_own();
        by_others();
    }
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}
