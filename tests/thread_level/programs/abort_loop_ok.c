/* A thread of a team that prints the state of others in a loop, and ends the process then.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double values[100];

static void die(int error) {
    for (int i = 0; i < 3; i++) {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        fprintf(stderr, "%d: %d\n", rank, error);
    }
    MPI_Abort(MPI_COMM_WORLD, error);
    exit(1);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    if (provided < MPI_THREAD_SINGLE) return 1;
#pragma omp parallel for /* expect: mpi-strict-single */
    for (int i = 0; i < 100; i++) {
        if (values[i] < 0) die(i);
        if (values[i] > 1) {
            for (int k = 0; k < i; k++) {
                double time = MPI_Wtime();
                fprintf(stderr, "%g: %g\n", time, values[k]);
            }
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        values[i] += 1;
    }
    MPI_Finalize();
    return 0;
}
