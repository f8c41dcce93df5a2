/* MPI_Init where the program is given no argument, or a number that was not the team's: there may be
   several threads.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static void start(int* argc, char*** argv) {
    int provided, threads = *argc;
#pragma omp parallel /* expect: mpi-strict-single */
    {
#pragma omp master
        if (threads > 2) threads = omp_get_num_threads();
    }
    if (threads > 1) {
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(argc, argv);
    }
}

int main(int argc, char** argv) {
    start(&argc, &argv);
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
