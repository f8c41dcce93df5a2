/* MPI_Init where teams have one thread, MPI_Init_thread where they have more: how many there are is
   asked in a region in front, or by omp_get_max_threads().
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static void start(int* argc, char*** argv) {
    int provided, threads = 1;
#pragma omp parallel
    {
#pragma omp master
        threads = omp_get_num_threads();
    }
    if (threads > 1) {
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(argc, argv);
    }
}

static void start_again(int* argc, char*** argv) {
    int provided;
    if (omp_get_max_threads() == 1) {
        MPI_Init(argc, argv);
        return;
    }
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
}

int main(int argc, char** argv) {
    if (argc > 1)
        start(&argc, &argv);
    else
        start_again(&argc, &argv);
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
