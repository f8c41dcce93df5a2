// The same without a guard.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

static void progress() {
    int is_main, found;
    MPI_Status status;
    MPI_Is_thread_main(&is_main);
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &found, &status);  // expect: mpi-thread-level
}

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) return 1;
#pragma omp parallel for
    for (int i = 0; i < 100; ++i)
        progress();
    MPI_Finalize();
}
