/* Each thread fences the window.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

int main(int argc, char** argv) {
    int provided, buffer[16] = {0};
    MPI_Win window;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(buffer, sizeof buffer, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
#pragma omp parallel num_threads(2)
    {
        MPI_Win_fence(0, window); /* expect: mpi-concurrent-request */
    }
    MPI_Win_free(&window);
    MPI_Finalize();
}
