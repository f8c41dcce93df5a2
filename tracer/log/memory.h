/// Memory and locks of the recorder. It lives in a foreign process, whose heap may be broken by
/// the very error that is looked for: so it takes its memory from the kernel, and keeps it.
#pragma once

#include <sys/single_threaded.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>

namespace mqinspect::tracer {

__extension__ using Product = unsigned __int128;

/// Both halves of a product, folded: each bit of either factor changes half of the result.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const Product product = static_cast<Product>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// FNV-1a, further from `hash`.
inline std::uint64_t hash_text(std::uint64_t hash, std::string_view text) {
    for (const char letter : text)
        hash = (hash ^ static_cast<std::uint8_t>(letter)) * 0x100'0000'01b3ULL;
    return hash;
}

/// Zeroed pages; null: there are none.
void* map_pages(std::size_t bytes);
void unmap_pages(void* pages, std::size_t bytes);

/// Copies memory of the process through the kernel, which survives a wrong address; false: not all
/// of it is there.
bool read_through_kernel(const void* place, void* to, std::size_t bytes);

/// Other processes may have the memory, too, and write to it at any time.
bool is_shared_memory(const void* place);

/// Memory for a while, not initialised. As long as it is little, it is a part of this object.
class Temporary {
public:
    explicit Temporary(std::size_t bytes)
        : bytes_(bytes), place_(bytes <= sizeof own_ ? own_ : map_pages(bytes)) {}
    ~Temporary() {
        if (place_ != own_) unmap_pages(place_, bytes_);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

    /// Null: there is none.
    void* place() const { return place_; }

private:
    alignas(16) std::uint8_t own_[2048];
    std::size_t bytes_;
    void* place_;
};

/// For sections of a few hundred nanoseconds. Not to be taken in a signal handler.
class SpinLock {
public:
    void lock() {
        if (!try_lock()) [[unlikely]]
            wait();
    }
    /// An exchange waits for all stores in front of it, which a process without threads need not.
    bool try_lock() {
        if (__libc_single_threaded == 0) return !taken_.exchange(true, std::memory_order_acquire);
        const bool was_taken = taken_.load(std::memory_order_relaxed);
        taken_.store(true, std::memory_order_relaxed);
        return !was_taken;
    }
    void unlock() { taken_.store(false, std::memory_order_release); }

private:
    [[gnu::cold]] void wait();

    std::atomic<bool> taken_{false};
};

/// Of this thread: a signal handler must not wait for what it has interrupted.
extern thread_local constinit int locks_held [[gnu::tls_model("initial-exec")]];

class Locked {
public:
    explicit Locked(SpinLock& lock) : lock_(lock) {
        locks_held = locks_held + 1;
        lock_.lock();
    }
    ~Locked() {
        lock_.unlock();
        locks_held = locks_held - 1;
    }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

private:
    SpinLock& lock_;
};

/// Memory that is never given back. Not thread-safe.
class Arena {
public:
    /// Zeroed, aligned to 16; null: out of memory.
    void* take(std::size_t bytes);

    template <class T>
    T* make() {
        void* place = take(sizeof(T));
        return place == nullptr ? nullptr : new (place) T{};
    }
    template <class T>
    T* take_array(std::size_t count) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): handles may be pointers
        return static_cast<T*>(take(count * sizeof(T)));
    }

private:
    std::uint8_t* next_ = nullptr;
    std::uint8_t* end_ = nullptr;
};

/// Bytes that grow. Not thread-safe.
class ByteBuffer {
public:
    std::uint8_t* data() { return data_; }
    std::size_t size() const { return size_; }
    void clear() { size_ = 0; }
    /// False: out of memory; nothing was appended.
    bool append(const void* bytes, std::size_t count);
    bool append_varint(std::uint64_t value);

private:
    bool reserve(std::size_t bytes);

    std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace mqinspect::tracer
