/* A team in a process that has no other threads, as it says.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int sum = 0;
    MPI_Init(&argc, &argv);
#pragma omp parallel reduction(+ : sum) /* expect: mpi-strict-single */
    sum += omp_get_thread_num();
    MPI_Finalize();
    return sum < 0;
}
