/* A handle that is chosen by what all threads have in common is one and the same for them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int verbose;
static MPI_Request first = MPI_REQUEST_NULL, second = MPI_REQUEST_NULL;

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Comm some, others;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &some);
    MPI_Comm_dup(MPI_COMM_WORLD, &others);
    MPI_Comm outside = rank > 2 ? some : others;
#pragma omp parallel num_threads(2)
    MPI_Barrier(outside); /* expect: mpi-concurrent-collectives */
#pragma omp parallel num_threads(2)
    MPI_Barrier(verbose && argc > 1 ? some : others); /* expect: mpi-concurrent-collectives */
#pragma omp parallel num_threads(2)
    {
        MPI_Request* request = rank == 0 ? &first : &second;
        MPI_Wait(request, MPI_STATUS_IGNORE); /* expect: mpi-concurrent-request */
    }
    MPI_Finalize();
    return 0;
}
