/* The index of a worksharing loop, compared in the function that it is handed to; threads of another
   loop wait at the barrier in between.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

static void step(int block) {
    if (block != 3) return;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void last_step(int block, int blocks) {
    if (block == 3) MPI_Barrier(MPI_COMM_WORLD);
    if (block == 3 && blocks > 3) step(block);
}

int main(int argc, char** argv) {
    int provided, blocks = 10;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    for (int time = 0; time < 3; ++time) {
#pragma omp for
        for (int i = 0; i < blocks; ++i) step(i);
#pragma omp for schedule(dynamic)
        for (int i = 0; i < blocks; ++i) step(i);
    }
#pragma omp parallel for
    for (int i = 0; i < 8; ++i) last_step(i, blocks);
    MPI_Finalize();
    return 0;
}
