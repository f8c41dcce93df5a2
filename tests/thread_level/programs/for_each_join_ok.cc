/* Threads that algorithms join, by a function object or by a pointer to the member function.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;

void send(int to) {
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Send(nullptr, 0, MPI_INT, to, to, MPI_COMM_WORLD);
}

std::vector<std::thread> start() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(send, i);
    return threads;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    auto first = start();
    std::for_each(first.begin(), first.end(), [](std::thread& thread) { thread.join(); });
    MPI_Barrier(MPI_COMM_WORLD);
    auto second = start();
    std::for_each(second.begin(), second.end(), std::mem_fn(&std::thread::join));
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::thread> third;
    third.emplace_back(send, 0);
    std::ranges::for_each(third, &std::thread::join);
    MPI_Finalize();
}
