/* Tasks of a loop, chained by a variable whose value says nothing.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, chain = 0;
    static double parts[8];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 8; ++i) {
#pragma omp task depend(out : parts[i])
        parts[i] = i;
#pragma omp task depend(in : parts[i]) depend(inout : chain)
        MPI_Send(parts + i, 1, MPI_DOUBLE, 0, i, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return chain;
}
