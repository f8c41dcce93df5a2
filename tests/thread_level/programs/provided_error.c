/* What was provided is never looked at.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); /* expect: mpi-provided-untested */
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
