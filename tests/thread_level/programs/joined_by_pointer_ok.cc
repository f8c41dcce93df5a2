// Algorithms that join all threads of a container by a pointer to the member function; the threads
// are known to be those of the container.
// required: MPI_THREAD_SERIALIZED
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

void run() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(send, i));
    std::for_each(threads.begin(), threads.end(), std::mem_fn(&std::thread::join));
    MPI_Barrier(MPI_COMM_WORLD);
}

void run_kept() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back(send, i);
    const auto join = std::mem_fn(&std::thread::join);
    std::for_each(threads.begin(), threads.end(), join);
    MPI_Barrier(MPI_COMM_WORLD);
}

void run_array() {
    std::thread threads[4];
    for (int i = 0; i < 4; ++i) threads[i] = std::thread(send, i);
    std::for_each(threads, threads + 4, std::mem_fn(&std::thread::join));
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    run();
    run_kept();
    run_array();
    MPI_Finalize();
}
