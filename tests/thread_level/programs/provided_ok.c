/* What was provided is looked at, by a switch.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    switch (provided) {
        case MPI_THREAD_SINGLE:
            MPI_Abort(MPI_COMM_WORLD, 1);
            break;
        default:
            break;
    }
#pragma omp parallel
    {
#pragma omp master
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
