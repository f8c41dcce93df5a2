/* MPI_Init where one of two regions has one thread, as its clause says.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static int value;

int main(int argc, char** argv) {
    int provided;
    const int threads = argc > 1 ? atoi(argv[1]) : 1;
    if (threads > 1) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
        if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        MPI_Init(&argc, &argv);
    }
#pragma omp parallel num_threads(threads) /* expect: mpi-strict-single */
    value = threads;
#pragma omp parallel num_threads(threads + 1)
    {
        int me = omp_get_thread_num();
        MPI_Send(&me, 1, MPI_INT, 0, me, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
