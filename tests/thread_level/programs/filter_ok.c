// A filter that is the same for all threads lets one of them in.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int last = omp_get_num_threads() - 1;
#pragma omp masked filter(last)
        MPI_Send(&value, 1, MPI_INT, 0, last, MPI_COMM_SELF);
    }
    MPI_Finalize();
    return value;
}
