/* Counted without a lock, under two locks, a lock of each thread's own, in a counter of each
   thread's own, read when the lock is gone or not yet there, counted only by some.
   required: MPI_THREAD_MULTIPLE */
#include <omp.h>

#include <mpi.h>

static omp_lock_t locks[4];
static int unlocked, two, own, late, some, early;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    for (int i = 0; i < 4; ++i) omp_init_lock(&locks[i]);
#pragma omp parallel num_threads(4)
    {
        const int mine = ++unlocked;
        if (mine == 4) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
        int mine;
        if (omp_get_thread_num() < 2) {
#pragma omp critical(first)
            mine = ++two;
        } else {
#pragma omp critical(second)
            mine = ++two;
        }
        if (mine == 4) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
        int mine;
        omp_set_lock(&locks[omp_get_thread_num()]);
        mine = ++own;
        omp_unset_lock(&locks[omp_get_thread_num()]);
        if (mine == 4) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
        int count = 0, mine;
#pragma omp critical
        mine = ++count;
        if (mine == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        ++late;
        if (late == 4) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
        int mine;
#pragma omp critical
        {
            if (omp_get_thread_num() == 0) ++some;
            mine = some;
        }
        if (mine == 1) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
#pragma omp parallel num_threads(4)
    {
        const int mine = early;
#pragma omp critical
        early++;
        if (mine == 3) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
