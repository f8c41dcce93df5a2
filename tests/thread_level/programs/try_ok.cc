// Locks and semaphores that may not be had: MPI is called where they are.
// required: MPI_THREAD_SERIALIZED
#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

namespace {

using namespace std::chrono_literals;

std::timed_mutex timed;
std::counting_semaphore<1> permit(1);
std::atomic<bool> is_taken{false};
std::shared_mutex both;
int value;

void send_one() { MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF); }

void by_timed_mutex() {
#pragma omp parallel
    {
        if (timed.try_lock_for(10ms)) {
            send_one();
            timed.unlock();
        }
        if (timed.try_lock_until(std::chrono::steady_clock::now() + 1ms)) {
            send_one();
            timed.unlock();
        }
        std::unique_lock<std::timed_mutex> hold(timed, 10ms);
        if (hold) send_one();
    }
}

void by_semaphore() {
#pragma omp parallel
    {
        if (permit.try_acquire()) {
            send_one();
            permit.release();
        }
        if (permit.try_acquire_for(10ms)) {
            send_one();
            permit.release();
        }
    }
}

void by_exchange() {
#pragma omp parallel
    {
        bool expected = false;
        while (!is_taken.compare_exchange_weak(expected, true, std::memory_order_acquire))
            expected = false;
        send_one();
        is_taken.store(false, std::memory_order_release);
    }
}

void by_shared_mutex() {
#pragma omp parallel
    {
        both.lock_shared();
        const int seen = value;
        both.unlock_shared();
        if (both.try_lock()) {
            send_one();
            both.unlock();
        }
        {
            std::shared_lock read(both);
            value += seen;
        }
        std::lock_guard write(both);
        send_one();
    }
}

void by_condition() {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_there = false;
    std::thread thread([&] {
        std::unique_lock hold(mutex);
        if (!changed.wait_for(hold, 1s, [&] { return is_there; })) return;
        send_one();
    });
    send_one();
    {
        std::lock_guard hold(mutex);
        is_there = true;
    }
    changed.notify_one();
    thread.join();
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) return 1;
    by_timed_mutex();
    by_semaphore();
    by_exchange();
    by_shared_mutex();
    by_condition();
    MPI_Finalize();
}
