/* Rounds of which the first one has no barrier in front, and all others have one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static double part[100], sum[100];

static void pipeline(int rounds) {
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
#pragma omp parallel
    for (int i = 0; i < rounds; ++i) {
        if (i > 0) {
#pragma omp barrier
        }
#pragma omp single
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
#pragma omp for
        for (int k = 0; k < 100; ++k)
            sum[k] += part[k];
#pragma omp master
        MPI_Send(sum, 100, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    }
}

static void two_phases(int n) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Isend(part, 100, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]);
        for (int phase = 1; phase <= 2; ++phase) {
            if ((phase == 2) & (n > 1)) {
#pragma omp single
                MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
            }
#pragma omp for
            for (int k = 0; k < 100; ++k)
                sum[k] = part[k] + phase;
        }
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    pipeline(argc);
    two_phases(argc);
    MPI_Finalize();
    return 0;
}
