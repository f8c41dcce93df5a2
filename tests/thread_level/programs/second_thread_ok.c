/* Where thread 1 of two works, thread 0 is left to communicate.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static double value;

static void work(void) { value += 1.0; }

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            work();
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
        }
        const int thread = omp_get_thread_num();
        if (thread != 1) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
