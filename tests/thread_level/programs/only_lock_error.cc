// Objects of a class that has a lock: one for each thread, or on the heap.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Communicator {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-thread-level
    }

private:
    std::mutex mutex_;
};

class OnHeap {
public:
    void send(int tag) {
        std::lock_guard hold(mutex_);
        MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_SELF);  // expect: mpi-conditional-lock
    }

private:
    std::mutex mutex_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i] {
            Communicator mine;
            mine.send(i);
        });
    }
    for (auto& thread : threads) thread.join();
    threads.clear();
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([i] {
            auto mine = std::make_unique<OnHeap>();
            mine->send(i);
        });
    }
    for (auto& thread : threads) thread.join();
    MPI_Finalize();
}
