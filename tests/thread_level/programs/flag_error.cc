/* The main thread waits too late.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
bool is_there = false;
int value;

void fetch() {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* expect: mpi-thread-level */
    const std::lock_guard<std::mutex> hold(mutex);
    is_there = true;
    changed.notify_one();
}

void wait() {
    std::unique_lock<std::mutex> hold(mutex);
    while (!is_there) changed.wait(hold);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread thread(fetch);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    wait();
    thread.join();
    MPI_Finalize();
}
