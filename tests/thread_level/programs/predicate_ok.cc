// Condition variables with predicates.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool is_there = false;

namespace {

int turn = 0;
int value;

void fetch() {
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    const std::lock_guard<std::mutex> hold(mutex);
    is_there = true;
    changed.notify_one();
}

void hand_over(int to) {
    const std::lock_guard<std::mutex> hold(mutex);
    turn = to;
    changed.notify_all();
}

void take_turns() {
    for (int i = 0; i < 10; ++i) {
        {
            std::unique_lock<std::mutex> hold(mutex);
            changed.wait(hold, [] { return turn == 1; });
        }
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        hand_over(0);
    }
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
    MPI_Barrier(MPI_COMM_WORLD);
    thread.join();
    std::thread other(take_turns);
    for (int i = 0; i < 10; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        hand_over(1);
        std::unique_lock<std::mutex> hold(mutex);
        changed.wait(hold, [] { return turn == 0; });
    }
    other.join();
    MPI_Finalize();
}
