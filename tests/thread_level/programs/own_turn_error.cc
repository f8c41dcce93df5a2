// A thread that does not wait gives the turn away.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>

#include <atomic>

static std::atomic<int> turn{0};

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        turn.fetch_add(1);
        while (turn.load() != thread) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);  // expect: mpi-thread-level
        turn.store(thread + 1);
    }
    MPI_Finalize();
    return value;
}
