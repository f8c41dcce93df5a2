/* Tasks that are not waited for: of a taskloop without a group, and of a task that may be final.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp task final(argc > 1)
            {
#pragma omp task
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
            }
        }
    }
#pragma omp parallel
    {
#pragma omp single
        {
#pragma omp taskloop nogroup
            for (int i = 0; i < 8; ++i) {
#pragma omp critical
                MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD); /* expect: mpi-thread-level */
            }
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
