/* The level is asked for again, and only printed.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
    int provided, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided); /* expect: mpi-provided-untested */
    MPI_Query_thread(&level);
    printf("%d\n", level);
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
