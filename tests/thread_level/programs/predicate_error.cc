// Condition variables with predicates: one is true at first, and one is set too early.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable changed;
bool is_there = false;
bool is_missing = true;
int value;

void fetch() {
    {
        const std::lock_guard<std::mutex> hold(mutex);
        is_there = true;
    }
    changed.notify_one();
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
}

void fetch_what_is_missing() {
    MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    const std::lock_guard<std::mutex> hold(mutex);
    is_missing = false;
    changed.notify_one();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::thread thread(fetch);
    {
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [] { return is_there; });
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    thread.join();
    std::thread other(fetch_what_is_missing);
    {
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [] { return is_missing; });
    }
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    other.join();
    MPI_Finalize();
}
