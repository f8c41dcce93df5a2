/* As much is requested as needed.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
    }
    MPI_Finalize();
}
