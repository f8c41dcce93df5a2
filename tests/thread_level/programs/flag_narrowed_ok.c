// Flags that are cleared for all threads but the first one, or get narrower step by step.
// required: MPI_THREAD_FUNNELED
#include <mpi.h>
#include <omp.h>

static int may_communicate(void) {
    if (omp_in_parallel() && omp_get_thread_num() != 0) return 0;
    return 1;
}

static int is_master(int rank) {
    int mine = rank == 0;
    mine = mine && omp_get_thread_num() == 0;
    return mine;
}

static int is_first(void) {
    int first = 1;
    if (omp_get_thread_num() != 0) first = 0;
    return first;
}

int main(int argc, char **argv) {
    int provided, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        int mine = argc > 1;
        if (may_communicate()) MPI_Barrier(MPI_COMM_WORLD);
        if (is_master(rank)) MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (is_first()) MPI_Barrier(MPI_COMM_WORLD);
        mine = mine && omp_get_thread_num() == 0;
        if (mine) MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        int left = 1;
        if (omp_get_thread_num() != 0) left = 0;
        if (left) MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
