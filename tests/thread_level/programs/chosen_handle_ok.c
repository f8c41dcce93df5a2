/* A handle that each thread chooses by its number may well be its own.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static int verbose;
static MPI_Request first = MPI_REQUEST_NULL, second = MPI_REQUEST_NULL;

static void finish(int thread) {
    MPI_Wait(thread == 0 ? &first : &second, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Win some, others;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) return 1;
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &some);
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &others);
#pragma omp parallel num_threads(2)
    {
        MPI_Request* request = omp_get_thread_num() == 0 ? &first : &second;
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
#pragma omp parallel num_threads(2)
    {
        int thread = omp_get_thread_num();
        MPI_Wait(thread == 0 ? &requests[0] : &requests[1], MPI_STATUS_IGNORE);
        MPI_Wait(verbose && thread == 0 ? &first : thread != 0 ? &requests[1] : &second,
                 MPI_STATUS_IGNORE);
        MPI_Win_fence(0, thread > 0 ? some : others);
        finish(thread);
    }
    MPI_Win_free(&some);
    MPI_Win_free(&others);
    MPI_Finalize();
    return 0;
}
