// Locks and semaphores that may not be had, or that others have, too: MPI is called all the same.
// required: MPI_THREAD_MULTIPLE
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
std::counting_semaphore<2> permit(2);
std::atomic<bool> is_taken{false};
std::shared_mutex both;
std::shared_mutex scoped;
int value;

void by_timed_mutex() {
#pragma omp parallel
    {
        const bool has = timed.try_lock_for(10ms);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // expect: mpi-thread-level
        if (has) timed.unlock();
    }
#pragma omp parallel
    {
        std::unique_lock<std::timed_mutex> hold(timed, 10ms);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void by_semaphore() {
#pragma omp parallel
    {
        if (permit.try_acquire()) {
            MPI_Send(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF);  // expect: mpi-thread-level
            permit.release();
        }
    }
}

void by_exchange() {
#pragma omp parallel
    {
        bool expected = false;
        while (is_taken.compare_exchange_weak(expected, true, std::memory_order_acquire))
            expected = false;
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_SELF);  // expect: mpi-thread-level
        is_taken.store(false, std::memory_order_release);
    }
}

void by_shared_mutex() {
#pragma omp parallel
    {
        both.lock_shared();
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_SELF);  // expect: mpi-thread-level
        both.unlock_shared();
    }
#pragma omp parallel
    {
        std::shared_lock read(scoped);
        MPI_Send(&value, 1, MPI_INT, 0, 6, MPI_COMM_SELF);  // expect: mpi-thread-level
    }
}

void by_condition() {
    std::mutex mutex;
    std::condition_variable changed;
    bool is_there = false;
    std::thread thread([&] {
        std::unique_lock hold(mutex);
        changed.wait_for(hold, 1s, [&] { return is_there; });
        MPI_Send(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF);  // expect: mpi-thread-level
    });
    MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
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
