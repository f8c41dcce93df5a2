/* Any thread may execute a single construct.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int value = 1;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp single
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
