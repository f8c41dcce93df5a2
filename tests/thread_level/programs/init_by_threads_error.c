/* MPI_Init where a number is 1 that is not that of threads: there may be several.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>

static void start(int* argc, char*** argv) {
    int provided, threads = *argc;
    if (threads > 1) {
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(argc, argv);
    }
}

int main(int argc, char** argv) {
    start(&argc, &argv);
#pragma omp parallel /* expect: mpi-strict-single */
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
