/* Tasks that are executed at once: those of a final task, and of a taskloop with if(0).
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task final(1)
            {
#pragma omp task
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
            }
        }
#pragma omp single
        {
#pragma omp taskloop if (0)
            for (int i = 0; i < 8; ++i) MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
