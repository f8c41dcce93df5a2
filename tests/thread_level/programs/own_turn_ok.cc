// The thread whose number an atomic variable has calls MPI.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>

#include <atomic>

static std::atomic<int> turn{0};

int main(int argc, char** argv) {
    int provided = 0;
    int value = 0;
    std::atomic<int> own{0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        const int thread = omp_get_thread_num();
        while (turn.load() != thread) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);
        turn.store((thread + 1) % omp_get_num_threads());
#pragma omp barrier
        while (own != thread) {
        }
        MPI_Send(&value, 1, MPI_INT, 0, thread, MPI_COMM_SELF);
        own++;
    }
    MPI_Finalize();
    return value;
}
