#include "tracer/log/memory.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <climits>

#include "model/record_format.h"

namespace mqinspect::tracer {

thread_local constinit int locks_held = 0;

namespace {

constexpr std::size_t kChunkBytes = std::size_t{256} * 1024;
constexpr std::size_t kAlignment = 16;
constexpr int kSpins = 64;

}  // namespace

void* map_pages(std::size_t bytes) {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? nullptr : pages;
}

void unmap_pages(void* pages, std::size_t bytes) {
    if (pages != nullptr) munmap(pages, bytes);
}

bool read_through_kernel(const void* place, void* to, std::size_t bytes) {
    const iovec local{to, bytes};
    const iovec remote{const_cast<void*>(place), bytes};  // NOLINT: iovec serves both ways
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

bool is_shared_memory(const void* place) {
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(place);
    char lines[2 * PATH_MAX + 1];
    std::size_t held = 0;
    bool shared = false;
    for (bool found = false; !found;) {
        const ssize_t more = read(file, lines + held, sizeof lines - 1 - held);
        if (more <= 0) break;
        held += static_cast<std::size_t>(more);
        lines[held] = '\0';
        char* line = lines;
        for (char* end = nullptr; !found && (end = std::strchr(line, '\n')) != nullptr;
             line = end + 1) {
            std::uintptr_t low = 0;
            std::uintptr_t high = 0;
            char rights[5] = "";
            found = std::sscanf(line, "%lx-%lx %4s", &low, &high, rights) == 3 && address >= low &&
                    address < high;
            shared = found && rights[3] == 's';
        }
        held -= static_cast<std::size_t>(line - lines);
        std::memmove(lines, line, held);
    }
    close(file);
    return shared;
}

void SpinLock::wait() {
    int spins = 0;
    while (!try_lock()) {
        // The holder may wait for this very processor.
        if (++spins % kSpins == 0) {
            sched_yield();
        } else {
            __builtin_ia32_pause();
        }
    }
}

void* Arena::take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    if (bytes > static_cast<std::size_t>(end_ - next_)) {
        const std::size_t chunk = std::max(bytes, kChunkBytes);
        auto* pages = static_cast<std::uint8_t*>(map_pages(chunk));
        if (pages == nullptr) return nullptr;
        if (bytes >= kChunkBytes) return pages;
        next_ = pages;
        end_ = pages + chunk;
    }
    void* result = next_;
    next_ += bytes;
    return result;
}

bool ByteBuffer::reserve(std::size_t bytes) {
    if (bytes <= capacity_) return true;
    std::size_t wanted = std::max(capacity_ * 2, kChunkBytes);
    while (wanted < bytes)
        wanted *= 2;
    auto* larger = static_cast<std::uint8_t*>(map_pages(wanted));
    if (larger == nullptr) return false;
    if (size_ != 0) std::memcpy(larger, data_, size_);
    unmap_pages(data_, capacity_);
    data_ = larger;
    capacity_ = wanted;
    return true;
}

bool ByteBuffer::append(const void* bytes, std::size_t count) {
    if (!reserve(size_ + count)) return false;
    if (count != 0) std::memcpy(data_ + size_, bytes, count);
    size_ += count;
    return true;
}

bool ByteBuffer::append_varint(std::uint64_t value) {
    if (!reserve(size_ + model::kMaxVarintBytes)) return false;
    size_ = static_cast<std::size_t>(model::put_varint(data_ + size_, value) - data_);
    return true;
}

}  // namespace mqinspect::tracer
