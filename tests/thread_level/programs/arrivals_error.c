/* Several come first in one round or the next, or before the last.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static int arrived[4];
static int left;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
        const int all = omp_get_num_threads();
        int place;
        for (int round = 0; round < 4; ++round) {
#pragma omp atomic capture
            place = ++arrived[round];
            if (place == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
        }
    }
#pragma omp parallel num_threads(4)
    {
        if (__atomic_sub_fetch(&left, 1, __ATOMIC_SEQ_CST) != 0) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
