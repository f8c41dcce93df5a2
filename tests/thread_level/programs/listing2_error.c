/* The same communicator in two single constructs without a barrier between them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static void g(double* a, double* b, MPI_Comm comm) {
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, 0, comm); /* expect: mpi-concurrent-collectives */
#pragma omp single
        MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    }
}

int main(int argc, char** argv) {
    double a = 1, b = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    g(&a, &b, MPI_COMM_WORLD);
    MPI_Finalize();
}
