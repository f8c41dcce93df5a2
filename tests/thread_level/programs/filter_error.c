// A filter that each thread evaluates to its own number lets all of them in.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
#pragma omp masked filter(thread)
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
    MPI_Finalize();
    return value;
}
