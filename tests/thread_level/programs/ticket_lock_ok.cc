/* Ticket locks of the program's own.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

class Counting {
public:
    void lock() {
        const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
        while (serving_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
    }
    void unlock() { serving_.fetch_add(1, std::memory_order_release); }

private:
    std::atomic<unsigned> next_{0}, serving_{0};
};

/// Only who has the lock writes to what is served.
class Storing {
public:
    void lock() {
        const int mine = next_++;
        for (;;) {
            if (mine == serving_) break;
        }
    }
    void unlock() {
        serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

private:
    std::atomic<int> next_{0};
    std::atomic<int> serving_{0};
};

class Operators {
public:
    void lock() {
        const auto mine = next_.fetch_add(1);
        while (!(serving_.load() == mine)) {
        }
    }
    void unlock() { ++serving_; }

private:
    std::atomic<unsigned long> serving_{0};
    std::atomic<unsigned long> next_{0};
};

Counting counting;
Storing storing;
Operators operators;

template <class Lock>
void send(Lock& lock, int to) {
    lock.lock();
    MPI_Send(nullptr, 0, MPI_INT, to, 0, MPI_COMM_WORLD);
    lock.unlock();
    const std::lock_guard<Lock> hold(lock);
    MPI_Send(nullptr, 0, MPI_INT, to, 0, MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    send(counting, 0);
#pragma omp parallel
    send(storing, 1);
#pragma omp parallel
    send(operators, 2);
    std::thread other([] { send(counting, 3); });
    send(counting, 4);
    other.join();
    MPI_Finalize();
}
