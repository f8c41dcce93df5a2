/* A switch over the thread number: each case is for one thread, and only thread 0 calls.
   required: MPI_THREAD_FUNNELED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided;
    int values[4] = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel num_threads(4)
    {
        switch (omp_get_thread_num()) {
            case 0:
                MPI_Barrier(MPI_COMM_WORLD);
                break;
            case 1:
            case 2:
                values[1] = 3;
                break;
            default:
                values[2] = 5;
        }
#pragma omp barrier
        const int tid = omp_get_thread_num();
        switch (tid) {
            case 3:
                values[3] = 1;
                break;
            case 0:
                MPI_Bcast(values, 4, MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
}
