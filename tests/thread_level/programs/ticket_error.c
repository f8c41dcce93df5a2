/* Threads draw tickets, which the compiler does not follow, but send when their turn is over.
   required: MPI_THREAD_MULTIPLE */
#include <stdatomic.h>

#include <mpi.h>

static atomic_int now;

int main(int argc, char** argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel for schedule(static, 1) num_threads(4)
    for (int i = 0; i < 4; ++i) {
        int flag;
        while (atomic_load_explicit(&now, memory_order_relaxed) < i) {
        }
        atomic_store_explicit(&now, i + 1, memory_order_relaxed);
        MPI_Iprobe(MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* expect: mpi-thread-level */
    }
    MPI_Finalize();
}
