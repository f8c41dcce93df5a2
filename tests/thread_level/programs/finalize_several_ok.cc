/* MPI_Finalize by the main thread of a team, once all the others are done.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
#pragma omp parallel
    {
        int value = omp_get_thread_num();
        MPI_Send(&value, 1, MPI_INT, 0, value, MPI_COMM_SELF);
#pragma omp barrier
#pragma omp master
        MPI_Finalize();
    }
}
