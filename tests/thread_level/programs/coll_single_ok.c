/* A collective behind the team, with MPI_Init.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int in = 0, out;
    MPI_Init(&argc, &argv);
#pragma omp parallel reduction(+ : in) /* expect: mpi-strict-single */
    in += omp_get_thread_num();
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
}
