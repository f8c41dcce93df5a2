/* One thread executes the tasks, but in an order that is not the same in each process.
   required: MPI_THREAD_FUNNELED */
#include <omp.h>

#include <mpi.h>

static double sum[2];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        if (omp_get_thread_num() == 0)
            MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-collective-order */
#pragma omp task
        if (omp_get_thread_num() == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
