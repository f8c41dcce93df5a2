/* Rounds of loops over communicators: one and the same thread has an element each time, or all wait
   for each other.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Comm all[4];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 4; ++i)
        MPI_Comm_dup(MPI_COMM_WORLD, &all[i]);
#pragma omp parallel
    {
        for (int round = 0; round < 9; ++round) {
#pragma omp for schedule(static) nowait
            for (int i = 0; i < 4; ++i)
                MPI_Barrier(all[i]);
        }
#pragma omp barrier
        for (int round = 0; round < 9; ++round) {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 4; ++i)
                MPI_Barrier(all[i]);
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; ++i)
            MPI_Barrier(all[i]);
    }
    MPI_Finalize();
    return 0;
}
