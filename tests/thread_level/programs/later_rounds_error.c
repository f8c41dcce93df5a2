/* Rounds of which another one than the first has no barrier in front, either.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static double part[100], sum[100];

static void third_on(int rounds) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
#pragma omp parallel
    for (int i = 0; i < rounds; ++i) {
        if (i > 1) {
#pragma omp barrier
        }
#pragma omp single
        MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
#pragma omp for
        for (int k = 0; k < 100; ++k)
            sum[k] += part[k];
#pragma omp master
        MPI_Send(sum, 100, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    }
}

static void begun_again(int rounds) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
#pragma omp parallel
    for (int i = 0; i < rounds; ++i) {
        if (i > 0) {
#pragma omp barrier
        }
#pragma omp single
        MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
#pragma omp for
        for (int k = 0; k < 100; ++k)
            sum[k] += part[k];
        if (rounds > 7) i -= 2;
#pragma omp master
        MPI_Send(sum, 100, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    third_on(argc);
#pragma omp barrier
    begun_again(argc);
    MPI_Finalize();
    return 0;
}
