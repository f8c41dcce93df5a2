// The threads of another container are joined by the algorithm, or these are asked for something
// else.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex mutex;

void send_other(int to) {
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Send(nullptr, 0, MPI_INT, to, 1, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

void send_asked(int to) {
    const std::lock_guard<std::mutex> hold(mutex);
    MPI_Send(nullptr, 0, MPI_INT, to, 2, MPI_COMM_WORLD);  // expect: mpi-thread-level
}

void wait() {}

void run_other() {
    std::vector<std::thread> threads;
    std::vector<std::thread> others;
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(send_other, i));
    for (int i = 0; i < 4; ++i) others.push_back(std::thread(wait));
    std::for_each(others.begin(), others.end(), std::mem_fn(&std::thread::join));
    MPI_Barrier(MPI_COMM_WORLD);
    for (std::thread& thread : threads) thread.join();
}

void run_asked() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.push_back(std::thread(send_asked, i));
    std::for_each(threads.begin(), threads.end(), std::mem_fn(&std::thread::joinable));
    MPI_Barrier(MPI_COMM_WORLD);
    for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
    run_other();
    run_asked();
    MPI_Finalize();
}
