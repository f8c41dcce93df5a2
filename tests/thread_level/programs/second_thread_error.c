/* Where thread 1 works, all others are left, unless there are two in all.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static double value;

static void work(void) { value += 1.0; }

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(3)
    {
        if (omp_get_thread_num() == 1) {
            work();
        } else {
            MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        }
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            MPI_Send(&value, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
