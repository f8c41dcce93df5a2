/* MPI_Finalize by any thread.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp single
        MPI_Finalize(); /* expect: mpi-finalize */
    }
}
