/* A team in a process that says so.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int sum = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel reduction(+ : sum)
    sum += omp_get_thread_num();
    MPI_Finalize();
    return sum < 0;
}
