/* Above 1 or below 2 there may be several threads; and above 0 all but one are.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void low(int me) {
    if (me > 1) return;
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void others(int me) {
    if (me > 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

/* What it is handed is not always the number of the thread. */
static void first(int me) {
    if (me > 0) return;
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void two_of_them(int from_one) {
    if (from_one < 3) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        low(me);
#pragma omp barrier
        others(me);
#pragma omp barrier
        first(me);
#pragma omp barrier
        first(-1);
#pragma omp barrier
        two_of_them(me + 1);
    }
    MPI_Finalize();
    return 0;
}
