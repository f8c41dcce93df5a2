/* MPI_Init_thread in a team.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
#pragma omp parallel
    {
#pragma omp single
        MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided); /* expect: mpi-init-in-parallel */
    }
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Finalize();
}
