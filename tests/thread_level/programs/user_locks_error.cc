// Guards that hold nothing, or another lock; what looks like a lock and is none.
// required: MPI_THREAD_MULTIPLE
#include <mpi.h>
#include <omp.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace {

int value;

class Mutex {
public:
    void lock() { pthread_mutex_lock(&mutex_); }
    void unlock() { pthread_mutex_unlock(&mutex_); }

private:
    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

class NoLock {
public:
    void lock() {}
    void unlock() {}
};

class ExchangeLock {
public:
    void lock() {
        bool expected = false;
        while (!is_taken_.compare_exchange_weak(expected, true, std::memory_order_acquire)) {
        }
    }
    void unlock() { is_taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> is_taken_{false};
};

class SpinLock {
public:
    void lock() {
        while (flag_.exchange(1, std::memory_order_acquire) != 0) {
        }
    }
    void unlock() { flag_.store(0, std::memory_order_release); }
    void steal() { flag_.fetch_sub(1); }

private:
    std::atomic<int> flag_{0};
};

class OwnGuard {
public:
    explicit OwnGuard(omp_lock_t& lock) : lock_(lock) { omp_set_lock(&lock_); }
    ~OwnGuard() { omp_unset_lock(&lock_); }

private:
    omp_lock_t& lock_;
};

Mutex own_mutex;
Mutex other_mutex;
NoLock none;
ExchangeLock exchange;
SpinLock spin;
omp_lock_t openmp;
std::mutex first;
std::mutex second;

void by_library_guards() {
#pragma omp parallel
    {
        {
            std::lock_guard<Mutex> hold(own_mutex);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void by_other_guards() {
#pragma omp parallel sections
    {
#pragma omp section
        {
            std::unique_lock<Mutex> hold(own_mutex);
            MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
        }
#pragma omp section
        {
            std::unique_lock<Mutex> hold(other_mutex);
            MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        }
    }
}

void by_no_lock() {
#pragma omp parallel
    {
        std::lock_guard<NoLock> hold(none);
        MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        std::lock_guard<ExchangeLock> hold(exchange);
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        spin.lock();
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);  // expect: mpi-thread-level
        spin.unlock();
        spin.steal();
    }
}

void by_holders() {
#pragma omp parallel
    {
        auto hold = std::make_unique<OwnGuard>(openmp);
        hold.reset();
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        std::optional<std::lock_guard<std::mutex>> perhaps;
        perhaps.emplace(first);
        perhaps.reset();
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void by_several() {
#pragma omp parallel
    {
        {
            std::scoped_lock all(first, second);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 8, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
#pragma omp parallel
    {
        std::unique_lock<std::mutex> a(first, std::defer_lock);
        std::unique_lock<std::mutex> b(second, std::defer_lock);
        MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_SELF);  // expect: mpi-thread-level
        std::lock(a, b);
    }
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    omp_init_lock(&openmp);
    by_library_guards();
    by_other_guards();
    by_no_lock();
    by_holders();
    by_several();
    MPI_Finalize();
}
