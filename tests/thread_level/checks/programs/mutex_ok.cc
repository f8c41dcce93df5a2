// One thread at a time.
#include <chrono>
#include <mutex>
#include <shared_mutex>

#include "program.h"

int main() {
    std::mutex mutex;
    std::recursive_mutex recursive;
    std::timed_mutex timed;
    std::shared_mutex shared;
#pragma omp parallel num_threads(4)
    {
        {
            const std::lock_guard<std::mutex> locked(mutex);
            SEND("a");
        }
#pragma omp barrier
        {
            const std::lock_guard<std::recursive_mutex> locked(recursive);
            { const std::lock_guard<std::recursive_mutex> again(recursive); }
            SEND("b");
        }
#pragma omp barrier
        if (timed.try_lock_for(std::chrono::seconds(60))) {
            SEND("c");
            timed.unlock();
        }
#pragma omp barrier
        {
            const std::unique_lock<std::shared_mutex> locked(shared);
            SEND("d");
        }
    }
}
