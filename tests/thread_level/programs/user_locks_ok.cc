// Guards of the library around locks that the program writes, and guards of the program in holders.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>

namespace {

int value;

void send_one() { MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); }

class Mutex {
public:
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class SpinLock {
public:
    void lock() {
        while (flag_.test_and_set(std::memory_order_acquire)) {
        }
    }
    void unlock() { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

class ExchangeLock {
public:
    void lock() {
        bool expected = false;
        while (!is_taken_.compare_exchange_weak(expected, true, std::memory_order_acquire))
            expected = false;
    }
    void unlock() { is_taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> is_taken_{false};
};

class OwnGuard {
public:
    explicit OwnGuard(omp_lock_t& lock) : lock_(lock) { omp_set_lock(&lock_); }
    ~OwnGuard() { omp_unset_lock(&lock_); }

private:
    omp_lock_t& lock_;
};

Mutex own_mutex;
SpinLock spin;
ExchangeLock exchange;
omp_lock_t openmp;
std::mutex first;
std::mutex second;
std::mutex third;

void by_library_guards() {
#pragma omp parallel
    {
        {
            std::lock_guard<Mutex> hold(own_mutex);
            send_one();
        }
        std::unique_lock<Mutex> hold(own_mutex);
        send_one();
        hold.unlock();
        own_mutex.lock();
        send_one();
        own_mutex.unlock();
    }
}

void by_spin_locks() {
#pragma omp parallel
    {
        std::lock_guard<SpinLock> hold(spin);
        send_one();
    }
#pragma omp parallel
    {
        exchange.lock();
        send_one();
        exchange.unlock();
        std::scoped_lock hold(exchange);
        send_one();
    }
}

void by_holders() {
#pragma omp parallel
    {
        auto hold = std::make_unique<OwnGuard>(openmp);
        send_one();
        hold.reset();
    }
#pragma omp parallel
    {
        std::optional<std::lock_guard<std::mutex>> perhaps;
        perhaps.emplace(first);
        send_one();
        perhaps.reset();
        perhaps.emplace(first);
        send_one();
    }
}

void by_several() {
#pragma omp parallel
    {
        {
            std::scoped_lock all(first, second);
            send_one();
        }
        {
            std::lock(second, third);
            std::lock_guard<std::mutex> a(second, std::adopt_lock);
            std::lock_guard<std::mutex> b(third, std::adopt_lock);
            std::lock_guard<std::mutex> c(first);
            send_one();
        }
        std::unique_lock<std::mutex> a(first, std::defer_lock);
        std::unique_lock<std::mutex> b(third, std::defer_lock);
        std::lock(a, b);
        send_one();
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&openmp);
    by_library_guards();
    by_spin_locks();
    by_holders();
    by_several();
    MPI_Finalize();
}
