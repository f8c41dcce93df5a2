/* An argument says that a function does not wait for the team.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

enum Mode { kGoOn, kWait };

static double values[100];
static MPI_Comm other;

__attribute__((noinline)) static void meet(int waits) {
    if (waits) {
#pragma omp barrier
    }
}

__attribute__((noinline)) static void copy(int count, enum Mode mode) {
#pragma omp master
    MPI_Bcast(values, count, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    if (mode == kWait) {
#pragma omp barrier
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
#pragma omp parallel
    {
#pragma omp master
        MPI_Bcast(values, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
        meet(0);
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, other);
        copy(10, kGoOn);
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, other);
    }
    MPI_Finalize();
    return 0;
}
