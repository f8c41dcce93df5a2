/* An argument says whether a function waits for the team.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

enum Mode { kGoOn, kWait };

static double values[100];

__attribute__((noinline)) static void meet(int waits) {
    if (waits) {
#pragma omp barrier
    }
}

/* Hands it on. */
__attribute__((noinline)) static void copy(int count, enum Mode mode) {
#pragma omp master
    MPI_Bcast(values, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    meet(mode == kWait);
    if (mode == kWait) {
#pragma omp barrier
    }
}

__attribute__((noinline)) static void sum_all(int goes_on) {
#pragma omp single nowait
    MPI_Allreduce(MPI_IN_PLACE, values, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (!goes_on) {
#pragma omp barrier
    }
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp master
        MPI_Bcast(values, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        meet(1);
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        copy(10, kWait);
        sum_all(0);
        copy(1, kWait);
#pragma omp single
        MPI_Bcast(values, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
