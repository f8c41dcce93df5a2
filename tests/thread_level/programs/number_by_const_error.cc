// By reference: what is not the number of the thread.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

static void exchange(const int& part) {
    if (part == 0) MPI_Barrier(MPI_COMM_WORLD);  // expect: mpi-concurrent-collectives
}

static void send(const int* thread) {
    int value = 1;
    if (*thread != 0)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        const int part = thread / 2;
        exchange(part);
#pragma omp barrier
        send(&thread);
    }
    MPI_Finalize();
}
