/* A single construct in a function that is called outside of teams.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void f(int* a, int* b) {
#pragma omp parallel
    {
#pragma omp single
        MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int a = 1, b;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    f(&a, &b);
    MPI_Finalize();
}
