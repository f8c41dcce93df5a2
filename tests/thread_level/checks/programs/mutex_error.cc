// expect: unordered a a
// expect: unordered b b
// says: 2 MPI_THREAD_MULTIPLE
#include <mutex>
#include <shared_mutex>

#include "program.h"

int main() {
    std::mutex mutex;
    std::shared_mutex shared;
#pragma omp parallel num_threads(4)
    {
        {
            const std::lock_guard<std::mutex> locked(mutex);
        }
        SEND("a");
#pragma omp barrier
        {
            // Readers do not keep each other out.
            const std::shared_lock<std::shared_mutex> locked(shared);
            SEND("b");
        }
    }
}
