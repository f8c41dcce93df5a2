/* The lock is released before the call, under the same condition.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <mutex>

namespace {

std::mutex lock;

void send(bool has_threads) {
    if (has_threads) lock.lock();
    if (has_threads) lock.unlock();
    int value = 0;
    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF); /* expect: mpi-thread-level */
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
#pragma omp parallel
    send(argc > 1);
    MPI_Finalize();
}
