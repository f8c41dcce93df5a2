/* Threads of a team that end the process on an error: by a function that returns if there is none,
   and on the spot. Nothing says that MPI_Abort does not return.
   required: MPI_THREAD_SINGLE */
#include <mpi.h>
#include <stdio.h>

static double values[100];

__attribute__((noinline)) static int my_rank(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

__attribute__((noinline)) static void stop_on(int error) {
    if (error <= 0) return;
    fprintf(stderr, "%d: error %d\n", my_rank(), error);
    MPI_Abort(MPI_COMM_WORLD, error);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    if (provided < MPI_THREAD_SINGLE) return 1;
#pragma omp parallel for /* expect: mpi-strict-single */
    for (int i = 0; i < 100; i++) {
        stop_on(values[i] > 1);
        if (values[i] > 0) {
            int rank;
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            fprintf(stderr, "%d: positive\n", rank);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        values[i] += 1;
    }
    MPI_Finalize();
    return 0;
}
