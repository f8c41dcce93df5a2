/* Two collectives at the same time, each on a communicator of its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int a = 1, b = 2;
    MPI_Comm other;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
#pragma omp parallel sections
    {
#pragma omp section
        MPI_Bcast(&a, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma omp section
        MPI_Bcast(&b, 1, MPI_INT, 1, other);
    }
    MPI_Comm_free(&other);
    MPI_Finalize();
}
