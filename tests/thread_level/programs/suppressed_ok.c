/* A comment in the source switches a warning off.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        /* mpi-thread-level: ignore */
#pragma omp single
        {
            MPI_Barrier(MPI_COMM_WORLD); /* mpi-thread-level: ignore */
        }
    }
    MPI_Finalize();
}
