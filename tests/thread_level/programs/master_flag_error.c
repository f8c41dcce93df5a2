/* Variables of threads, and arguments, that are not what says whether a thread is the first one.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int is_master;
static int is_set;
static int is_one_of_two;
#pragma omp threadprivate(is_master, is_set, is_one_of_two)
static double mine, all;

static void by_argument(int may) {
    if (may)
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
#pragma omp barrier
}

static void by_other(int may) {
    if (!may) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp barrier
}

static void by_variable(void) {
    if (!is_master) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void by_set(void) {
    if (is_set) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void by_one_of_two(void) {
    if (is_one_of_two) MPI_Send(&mine, 1, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        is_master = thread == 0;
        is_set = thread == 0;
        if (thread == 3) is_set = 1;
        is_one_of_two = thread == 0 || thread == 1;
        by_argument(thread == 0);
        by_argument(thread < 2);
        by_other(thread == 0);
    }
#pragma omp parallel
    by_variable();
#pragma omp parallel
    by_set();
#pragma omp parallel
    by_one_of_two();
    MPI_Finalize();
}
