/* A counter that begins with what the loop asks for, one that is counted before that is asked, and a
   loop without a barrier.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static double a[64];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Send(a, 64, MPI_DOUBLE, 0, 1, MPI_COMM_SELF); /* expect: mpi-thread-level */
        for (int round = 1; round < argc; ++round) {
            if (round > 0) {
#pragma omp single
                MPI_Recv(a, 64, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            }
#pragma omp for
            for (int i = 0; i < 64; ++i) a[i] += round;
        }
    }
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Send(a, 32, MPI_DOUBLE, 0, 2, MPI_COMM_SELF); /* expect: mpi-thread-level */
        for (int round = 0; round < argc;) {
            ++round;
            if (round > 0) {
#pragma omp single
                MPI_Recv(a, 32, MPI_DOUBLE, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            }
#pragma omp for
            for (int i = 0; i < 64; ++i) a[i] += round;
        }
    }
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Send(a, 16, MPI_DOUBLE, 0, 3, MPI_COMM_SELF); /* expect: mpi-thread-level */
        for (int round = 0; round < argc; ++round) {
            if (round > 0) {
#pragma omp single nowait
                MPI_Recv(a, 16, MPI_DOUBLE, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            }
#pragma omp for nowait
            for (int i = 0; i < 64; ++i) a[i] += round;
        }
    }
    MPI_Finalize();
}
