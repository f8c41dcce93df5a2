/* A function says whether the thread is the last one of as many as it is handed.
   required: MPI_THREAD_SERIALIZED */
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
        if (communicates(omp_get_thread_num(), omp_get_num_threads())) MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
