/* The task that is waited for may have been made before the one that it would wait for.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static double halo;
static double sum;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task depend(in : halo) depend(out : sum)
        sum += halo;
#pragma omp task depend(out : halo)
        MPI_Recv(&halo, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
#pragma omp taskwait depend(in : sum)
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return 0;
}
