/* Functions that say which thread communicates, by others, by what they are handed, and with more.
   required: MPI_THREAD_FUNNELED, ways: all */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static int rank;

static bool is_master(void) { return omp_get_thread_num() == 0; }
static bool writes(void) { return rank == 0 && is_master(); }
static bool reads(int thread) { return rank == 0 && thread == 0; }
static bool is_root(int process, int thread) { return process == 0 && thread == 0; }
static bool is_alone(void) { return !omp_in_parallel() || omp_get_thread_num() == 0; }
static bool is_first(void) { return omp_get_level() == 0 || omp_get_thread_num() == 0; }
static int logs(void) {
    if (!is_master()) return 0;
    return rank == 0;
}

static void send(int tag) { MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD); }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#pragma omp parallel
    {
        int thread = omp_get_thread_num();
        if (writes()) send(1);
        if (reads(thread)) send(2);
        if (is_root(rank, omp_get_thread_num())) send(3);
        if (is_alone()) send(4);
        if (logs()) send(5);
        if (!omp_in_parallel() || thread == 0) send(6);
        if (is_first()) send(7);
    }
    MPI_Finalize();
}
