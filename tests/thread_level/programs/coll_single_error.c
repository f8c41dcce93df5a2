/* A collective by all threads of a team, with MPI_Init.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int in = 1, out;
    MPI_Init(&argc, &argv);
#pragma omp parallel /* expect: mpi-strict-single */
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    MPI_Finalize();
}
