/* A master construct in a function that a team calls.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

static void f(int* value) {
#pragma omp master
    MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int value = 1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    f(&value);
    MPI_Finalize();
}
