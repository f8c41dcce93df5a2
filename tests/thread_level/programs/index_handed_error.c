/* Nobody waits behind the first loop, and another thread may have the index in the second; two
   indices are two threads'; and the index of a loop that all threads execute is no one's.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

static void step(int block) {
    if (block != 3) return;
    MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

static void two_steps(int block) {
    if (block == 3) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
    if (block == 4) MPI_Barrier(MPI_COMM_WORLD);
}

static void all_step(int block) {
    if (block == 3) MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 10; ++i) step(i);
#pragma omp for
        for (int i = 0; i < 10; ++i) step(i);
    }
#pragma omp parallel for
    for (int i = 0; i < 10; ++i) two_steps(i);
#pragma omp parallel
    for (int i = 0; i < 10; ++i) all_step(i);
    MPI_Finalize();
    return 0;
}
