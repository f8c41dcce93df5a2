/* The level is the last that the variable is set to, and too low; the variable is set to the number of a thread in the region.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided, threads, value = 0, requested = -1;
    requested = MPI_THREAD_SERIALIZED;
#ifdef _OPENMP
    requested = MPI_THREAD_SINGLE;
#endif
    MPI_Init_thread(&argc, &argv, requested, &provided);
    if (provided < requested) MPI_Abort(MPI_COMM_WORLD, 1);
    threads = atoi(argv[1]);
    MPI_Bcast(&threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
    omp_set_num_threads(threads);
#pragma omp parallel /* expect: mpi-strict-single */
    {
#pragma omp critical
        threads = omp_get_thread_num() + 1;
#pragma omp barrier
        const int me = omp_get_thread_num();
        if (me == threads - 1) MPI_Send(&value, 1, MPI_INT, 0, 888, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
    return 0;
}
