/// Memory and locks for code that runs inside of any function of the program, malloc included.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <new>

namespace mqinspect::thread_level::checks {

/// For rare and short work: what all threads share is read without locks.
class SpinLock {
public:
    void lock() {
        while (taken_.exchange(true, std::memory_order_acquire))
            sched_yield();
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> taken_{false};
};

class Locked {
public:
    explicit Locked(SpinLock& lock) : lock_(lock) { lock_.lock(); }
    ~Locked() { lock_.unlock(); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    SpinLock& lock_;
};

/// Zeroed, never given back, starts a cache line; nullptr if there is none.
void* allocate(std::size_t bytes);

template <class T>
T* make() {
    void* const memory = allocate(sizeof(T));
    return memory == nullptr ? nullptr : new (memory) T{};
}

/// In the child: nobody else is there to unlock.
void unlock_memory_after_fork();

}  // namespace mqinspect::thread_level::checks
