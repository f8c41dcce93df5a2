/* Threads put in an epoch that one of them opens and closes.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, buffer[16] = {0}, value[16] = {0};
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(buffer, sizeof buffer, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#pragma omp parallel
    {
#pragma omp single
        MPI_Win_fence(0, window);
#pragma omp for
        for (int i = 0; i < 16; ++i) MPI_Put(&value[i], 1, MPI_INT, 0, i, 1, MPI_INT, window);
#pragma omp single
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
}
