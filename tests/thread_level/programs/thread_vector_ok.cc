/* Threads that a container makes, by their function, under a lock.
   required: MPI_THREAD_SERIALIZED */
#include <mutex>
#include <thread>
#include <vector>

#include <mpi.h>

namespace {

std::mutex mutex;

void work(int tag) {
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back(work, i);
    for (std::thread& thread : threads)
        thread.join();
    MPI_Finalize();
}
