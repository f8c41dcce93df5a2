/* Teams in a team: the thread that makes a call is number 0 in one of them, or in the other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_ancestor_thread_num(1) == 0 || omp_get_thread_num() == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(outer)
        {
            if (outer == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            if (outer != 0 && omp_get_thread_num() == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
    int last = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        last = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            if (last == 0 && omp_get_thread_num() == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
    MPI_Finalize();
    return 0;
}
