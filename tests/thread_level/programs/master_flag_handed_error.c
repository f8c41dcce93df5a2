/* Flags that are handed to functions, and may be set by other threads than the master, or are not
   set by the master either.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int value;

static void of_all(int is_set) {
    if (is_set) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void of_any(int is_set) {
    if (is_set) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void of_two(int is_set) {
    if (is_set) MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

static void of_others(int is_set) {
    if (!is_set) MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
}

int main(int argc, char** argv) {
    int provided, is_for_all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int is_any = 0, is_one_of_two = 0, is_master = 0;
#pragma omp master
        is_for_all = 1;
#pragma omp barrier
        of_all(is_for_all);
#pragma omp single
        is_any = 1;
        of_any(is_any);
        if (omp_get_thread_num() < 2) is_one_of_two = 1;
        of_two(is_one_of_two);
#pragma omp master
        is_master = 1;
        of_others(is_master);
    }
    MPI_Finalize();
}
