/* The level is the last that the variable is set to, and the number of threads comes from another process.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided, threads, value = 0, requested = -1;
    requested = MPI_THREAD_SINGLE;
#ifdef _OPENMP
    requested = MPI_THREAD_SERIALIZED;
#endif
    MPI_Init_thread(&argc, &argv, requested, &provided);
    if (provided < requested) MPI_Abort(MPI_COMM_WORLD, 1);
    threads = atoi(argv[1]);
    MPI_Bcast(&threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
    omp_set_num_threads(threads);
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        if (me == threads - 1) MPI_Send(&value, 1, MPI_INT, 0, 888, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
