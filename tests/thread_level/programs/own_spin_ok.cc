/* Spin locks of the program's own, whose try_lock() says the contrary of what the atomic operation
   says.
   required: MPI_THREAD_SERIALIZED */
#include <mpi.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace {

void send(int to) { MPI_Send(nullptr, 0, MPI_INT, to, 0, MPI_COMM_WORLD); }

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

template <class Lock>
void send_locked(Lock& lock, int to) {
    while (!lock.try_lock()) {
    }
    send(to);
    lock.unlock();
    std::lock_guard<Lock> hold(lock);
    send(to);
}

template <class Lock>
void send_if_free(Lock& lock, int to) {
    if (lock.try_lock()) {
        send(to);
        lock.unlock();
    }
    std::unique_lock<Lock> hold(lock, std::try_to_lock);
    if (hold.owns_lock()) send(to);
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) MPI_Abort(MPI_COMM_WORLD, 1);
#pragma omp parallel
    {
        send_locked(flag, 0);
        send_if_free(flag, 1);
    }
#pragma omp parallel
    {
        send_locked(polling, 0);
        send_if_free(polling, 1);
    }
#pragma omp parallel
    {
        send_locked(comparing, 0);
        send_if_free(comparing, 1);
    }
    MPI_Finalize();
}
