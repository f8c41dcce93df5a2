/* Barriers that exclude each other match, in whatever order they come.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp section
        {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
#pragma omp parallel
    {
        for (int i = 0; i < 3; i++) {
#pragma omp critical
            MPI_Barrier(MPI_COMM_WORLD);
        }
#pragma omp critical
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
