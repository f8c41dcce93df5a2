/* Twin of task_element_error.c: each task of a thread waits for the one before, or the thread for
   its tasks, or they have the communicator of who executes them.
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
#pragma omp task firstprivate(me) depend(inout : comms[me])
            MPI_Barrier(comms[me]);
        }
    }
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        for (int i = 0; i < 10; ++i) {
#pragma omp task firstprivate(me)
            MPI_Barrier(comms[me]);
#pragma omp taskwait
        }
#pragma omp task firstprivate(me)
        MPI_Barrier(comms[me]);
#pragma omp taskwait
        MPI_Allreduce(MPI_IN_PLACE, &provided, 1, MPI_INT, MPI_MAX, comms[me]);
    }
#pragma omp parallel
    {
        for (int i = 0; i < 10; ++i) {
#pragma omp task
            MPI_Barrier(comms[omp_get_thread_num()]);
        }
    }
    MPI_Finalize();
}
