/* Teams in a team: the thread that makes a call is number 0 in both of them, and so the main one.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int value;

static void exchange(void) {
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) firstprivate(outer)
        {
            if (outer == 0 && omp_get_thread_num() == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
            if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0)
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
        }
    }
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2) shared(outer)
        {
            if (outer == 0) {
#pragma omp master
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
            }
        }
    }
    exchange();
    MPI_Finalize();
    return 0;
}
