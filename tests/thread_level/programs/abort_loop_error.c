/* Loops in front of the end of the process that are the program's work, or that some ways leave.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double values[100];
static volatile int is_over;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    if (provided < MPI_THREAD_SINGLE) return 1;
#pragma omp parallel /* expect: mpi-strict-single */
    {
        if (values[0] < 0) {
            while (!is_over) {
                int flag;
                MPI_Iprobe(0, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
            }
            exit(0);
        }
    }
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        for (int k = 0; k < i; k++) {
            if (values[k] > values[i])
                MPI_Send(&values[k], 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
            if (values[k] < 0) MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    MPI_Finalize();
    return 0;
}
