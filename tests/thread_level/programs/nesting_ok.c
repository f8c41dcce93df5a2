/* A single construct in a function that the whole team calls.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static void inner(void) {
#pragma omp single
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        inner();
    }
    MPI_Finalize();
}
