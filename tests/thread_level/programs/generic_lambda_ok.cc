/* Threads that start with generic lambdas, by themselves or on the heap.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;

void send(int to) {
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Send(nullptr, 0, MPI_INT, to, to, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    std::thread first([](auto to) { send(to); }, 1);
    send(0);
    first.join();
    const auto second = std::make_unique<std::thread>([](const auto& to) { send(to); }, 2);
    send(0);
    second->join();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
