/* MPI_Init where a number is 1 that is changed before teams get it.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int provided, threads = argc > 1 ? atoi(argv[1]) : 1;
    if (threads > 1) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(&argc, &argv);
    }
    if (argc < 2) threads = omp_get_num_procs();
    omp_set_num_threads(threads);
#pragma omp parallel /* expect: mpi-strict-single */
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
