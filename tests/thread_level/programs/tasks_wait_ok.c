/* Two tasks, the second made when the first has ended.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, x = 0, y = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task
            MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
#pragma omp taskwait
#pragma omp task
            MPI_Recv(&y, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}
