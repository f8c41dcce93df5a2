/* Loops whose first round leaves out what might meet the call in front of them.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static double a[64];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    {
#pragma omp single nowait
        MPI_Send(a, 64, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
        for (int round = 0; round < argc; ++round) {
            if (round > 0) {
#pragma omp single
                MPI_Recv(a, 64, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            }
#pragma omp for
            for (int i = 0; i < 64; ++i) a[i] += round;
        }
    }
    MPI_Finalize();
}
