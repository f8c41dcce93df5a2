/* Cases of a switch on the number of the thread that do nothing, which the compiler takes out, or
   does as one.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, flag, count = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel private(flag)
    {
        switch (omp_get_thread_num()) {
            case 0:
                break;
            case 1:
                MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
                break;
            default:
                break;
        }
#pragma omp barrier
        switch (omp_get_thread_num()) {
            case 0:
            case 1:
                break;
            case 2:
                MPI_Barrier(MPI_COMM_WORLD);
                break;
            case 3:
            case 4:
#pragma omp atomic
                ++count;
                break;
        }
    }
    MPI_Finalize();
}
