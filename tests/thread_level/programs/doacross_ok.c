/* Iterations wait for the one before.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int values[100] = {0};
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for ordered(1)
    for (int i = 1; i < 100; ++i) {
#pragma omp ordered depend(sink : i - 1)
        MPI_Allreduce(MPI_IN_PLACE, &values[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#pragma omp ordered depend(source)
        values[i] += i;
    }
#pragma omp parallel for ordered(1)
    for (int i = 98; i >= 0; i -= 2) {
        values[i] += i;
#pragma omp ordered depend(sink : i + 2)
        MPI_Bcast(&values[i], 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
#pragma omp ordered depend(source)
    }
    MPI_Finalize();
}
