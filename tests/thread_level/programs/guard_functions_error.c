/* Twin of guard_functions_ok.c: what the functions say holds for several threads.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static int rank;

static bool is_master(void) { return omp_get_thread_num() == 0; }
static bool writes(void) { return rank == 0 || is_master(); }
static bool reads(int thread) { return rank == 0 && thread != 0; }
static bool is_alone(void) { return omp_in_parallel() || omp_get_thread_num() == 0; }
static int logs(void) {
    if (is_master()) return 0;
    return rank == 0;
}
static bool is_last(int thread, int limit) { return thread == limit - 1; }

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    if (writes())
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp parallel
    if (reads(omp_get_thread_num()))
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp parallel
    if (is_alone())
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp parallel
    if (logs())
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* expect: mpi-thread-level */
#pragma omp parallel
    if (is_last(omp_get_thread_num(), omp_get_thread_num() + 1))
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    MPI_Finalize();
}
