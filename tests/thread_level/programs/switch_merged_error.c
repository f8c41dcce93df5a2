/* Cases of a switch on the number of the thread with one thing to do, and what is left of them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided, flag;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel private(flag)
    {
        switch (omp_get_thread_num()) {
            case 0:
                break;
            case 1:
            case 2:
                MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
                break;
            default:
                break;
        }
#pragma omp barrier
        switch (omp_get_thread_num()) {
            case 1:
                break;
            default:
                MPI_Barrier(MPI_COMM_WORLD); /* expect: mpi-concurrent-collectives */
                break;
        }
    }
    MPI_Finalize();
}
