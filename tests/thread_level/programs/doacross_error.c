/* Iterations wait for others, but not for the one before, or not where it matters.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int values[100] = {0};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for ordered(1)
    for (int i = 2; i < 100; ++i) {
#pragma omp ordered depend(sink : i - 2)
        MPI_Send(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp ordered depend(source)
    }
#pragma omp parallel for ordered(1)
    for (int i = 1; i < 100; ++i) {
#pragma omp ordered depend(sink : i - 1)
        values[i] += values[i - 1];
#pragma omp ordered depend(source)
        MPI_Send(&values[i], 1, MPI_INT, 0, i, MPI_COMM_SELF); /* expect: mpi-thread-level */
    }
#pragma omp parallel for ordered(2)
    for (int i = 1; i < 10; ++i) {
        for (int j = 1; j < 10; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            MPI_Send(&values[i], 1, MPI_INT, 0, j, MPI_COMM_SELF); /* expect: mpi-thread-level */
#pragma omp ordered depend(source)
        }
    }
    MPI_Finalize();
}
