/* The number of the thread goes to a function that asks for it, two calls below.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static void exchange(int thread, int step) {
    if (thread == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    (void)step;
}

static void work(int step, int thread) {
    exchange(thread, step);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        work(argc, thread);
#pragma omp barrier
        work(argc + 1, thread);
    }
    MPI_Finalize();
}
