/* The tasks of one thread have one communicator, that of the thread.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>
#include <omp.h>

static MPI_Comm comms[64];

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < omp_get_max_threads(); ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(me)
            MPI_Barrier(comms[me]); /* expect: mpi-concurrent-collectives */
        }
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
#pragma omp task firstprivate(me)
        MPI_Barrier(comms[me]); /* expect: mpi-concurrent-collectives */
        MPI_Allreduce(MPI_IN_PLACE, &provided, 1, MPI_INT, MPI_MAX, comms[me]);
    }
    MPI_Finalize();
}
