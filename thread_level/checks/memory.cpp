#include "thread_level/checks/memory.h"

#include <sys/mman.h>

namespace mqinspect::thread_level::checks {
namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kChunk = std::size_t{256} * 1024;

constinit SpinLock lock;
constinit char* next = nullptr;
constinit std::size_t left = 0;

}  // namespace

void* allocate(std::size_t bytes) {
    const std::size_t size = (bytes + kLine - 1) / kLine * kLine;
    const Locked locked(lock);
    if (size > left) {
        const std::size_t chunk = size > kChunk ? size : kChunk;
        void* const memory =
            mmap(nullptr, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return nullptr;
        next = static_cast<char*>(memory);
        left = chunk;
    }
    char* const result = next;
    next += size;
    left -= size;
    return result;
}

void unlock_memory_after_fork() {
    lock.unlock();
}

}  // namespace mqinspect::thread_level::checks
