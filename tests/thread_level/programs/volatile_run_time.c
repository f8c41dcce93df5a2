/* Threads draw tickets, which the compiler does not follow, and hand on the turn by volatile flags.
   Only a run shows that MPI_THREAD_SERIALIZED is enough. */
#include <mpi.h>
#include <omp.h>

static volatile int is_ready[5];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel num_threads(4)
    {
        int flag;
        const int number = omp_get_thread_num();
        while (number > 0 && !is_ready[number]) {
        }
        MPI_Iprobe(MPI_ANY_SOURCE, number, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
#pragma omp flush
        is_ready[number + 1] = 1;
    }
    MPI_Finalize();
}
