/* Twin of last_by_function_ok.c: each thread is the last one of as many as it hands over.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>
#include <stdbool.h>

static bool communicates(int thread, int threads) { return thread == threads - 1; }

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        if (communicates(omp_get_thread_num(), omp_get_thread_num() + 1))
            MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    }
    MPI_Finalize();
}
