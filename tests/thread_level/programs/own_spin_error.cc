/* Spin locks of the program's own, and MPI called by who has not got them.
   required: MPI_THREAD_MULTIPLE */
#include <mpi.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

class Flag {
public:
    bool try_lock() { return !flag_.test_and_set(std::memory_order_acquire); }
    void lock() {
        while (!try_lock()) std::this_thread::yield();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

/// Looks before it tries.
class Polling {
public:
    bool try_lock() {
        return !is_taken_.load(std::memory_order_relaxed) &&
               !is_taken_.exchange(true, std::memory_order_acquire);
    }
    void lock() {
        for (;;) {
            if (!is_taken_.exchange(true, std::memory_order_acquire)) return;
            while (is_taken_.load(std::memory_order_relaxed)) std::this_thread::yield();
        }
    }
    void unlock() { is_taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> is_taken_{false};
};

class Comparing {
public:
    bool try_lock() {
        int expected = 0;
        return owner_.compare_exchange_strong(expected, 1, std::memory_order_acquire);
    }
    void lock() {
        while (!try_lock()) {
        }
    }
    void unlock() { owner_.store(0, std::memory_order_release); }

private:
    std::atomic<int> owner_{0};
};

Flag flag;
Polling polling;
Comparing comparing;

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        if (flag.try_lock()) {
            flag.unlock();
        } else {
            MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
        }
    }
#pragma omp parallel
    {
        if (polling.try_lock()) polling.unlock();
        MPI_Send(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        while (comparing.try_lock()) {
        }
        MPI_Send(nullptr, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
        comparing.unlock();
    }
#pragma omp parallel
    {
        const std::unique_lock<Flag> hold(flag, std::try_to_lock);
        if (!hold.owns_lock())
            MPI_Send(nullptr, 0, MPI_INT, 3, 0, MPI_COMM_WORLD);  // expect: mpi-thread-level
    }
    MPI_Finalize();
}
