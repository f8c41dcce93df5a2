// A number of each thread, of external linkage, is not the level that is provided.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

thread_local int calls = 0;

int main(int argc, char** argv) {
    int provided;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
#pragma omp single
    {
        if (++calls == 3) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &value, MPI_STATUS_IGNORE);  // expect: mpi-thread-level
    }
    MPI_Finalize();
    return 0;
}
