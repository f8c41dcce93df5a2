/* Variables of threads, and arguments, that say whether a thread is the first one.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static int thread_number;
static int is_master;
static int is_first;
#pragma omp threadprivate(thread_number, is_master, is_first)
static double mine, all;

static void by_argument(int may) {
    if (may) MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

static void below(int may) { by_argument(may); }

static void by_other(int others) {
    if (!others) MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#pragma omp barrier
}

static void by_variable(void) {
    if (is_master) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
    if (is_first) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
#pragma omp barrier
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        thread_number = omp_get_thread_num();
        is_master = omp_get_thread_num() == 0;
        is_first = thread_number == 0;
    }
#pragma omp parallel
    {
        const int is_zero = omp_get_thread_num() == 0;
        by_argument(is_zero);
        below(omp_get_thread_num() == 0);
        by_other(omp_get_thread_num() != 0);
        by_variable();
    }
    MPI_Finalize();
}
