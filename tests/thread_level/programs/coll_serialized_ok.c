/* Two single constructs with a barrier between them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

static MPI_Comm com1, com2;

static void exchange(double* a, double* b) {
#pragma omp parallel
    {
#pragma omp single
        MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, 0, com1);
#pragma omp single
        MPI_Reduce(a, b, 1, MPI_DOUBLE, MPI_SUM, 0, com2);
    }
}

int main(int argc, char** argv) {
    double a = 1, b = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &com1);
    MPI_Comm_dup(MPI_COMM_WORLD, &com2);
    exchange(&a, &b);
    MPI_Comm_free(&com1);
    MPI_Comm_free(&com2);
    MPI_Finalize();
}
