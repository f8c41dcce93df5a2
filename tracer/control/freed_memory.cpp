#include "tracer/control/freed_memory.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>

#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/control/window_memory.h"
#include "tracer/event.h"
#include "tracer/export.h"
#include "tracer/kept_errno.h"
#include "tracer/next_definition.h"
#include "tracer/recorder.h"
#include "tracer/stack/stacks.h"
#include "tracer/stack/unwind.h"

extern "C" void __libc_free(void* memory);                        // NOLINT: the C library's name
extern "C" void* __libc_realloc(void* memory, std::size_t size);  // NOLINT: the same

namespace mqinspect::tracer {

namespace {

struct Lent {
    std::uint64_t owner = 0;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

constexpr std::size_t kMostLent = 32;
SpinLock lock;  // of these two
std::array<Lent, kMostLent> lent;
std::size_t lent_count = 0;
std::atomic<bool> any_lent{false};

template <class Predicate>
void take_back(Predicate is_it) {
    const Locked locked(lock);
    const auto end = lent.begin() + static_cast<std::ptrdiff_t>(lent_count);
    lent_count = static_cast<std::size_t>(std::remove_if(lent.begin(), end, is_it) - lent.begin());
    any_lent.store(lent_count != 0, std::memory_order_relaxed);
}

bool is_lent(std::uint64_t begin, std::uint64_t bytes) {
    const Locked locked(lock);
    return std::any_of(
        lent.begin(), lent.begin() + static_cast<std::ptrdiff_t>(lent_count), [&](const Lent& one) {
            return one.begin < begin + bytes && begin < one.begin + one.bytes;
        });
}

using Free = void (*)(void*);
using Realloc = void* (*)(void*, std::size_t);
using UsableSize = std::size_t (*)(void*);
std::atomic<Free> next_free{nullptr};
std::atomic<Realloc> next_realloc{nullptr};
std::atomic<UsableSize> usable_size{nullptr};

/// Null, mostly: it is MPI that frees, which is asked first, or nothing is in use.
[[gnu::always_inline]] inline Thread* thread_to_look_at() {
    Thread* const thread = this_thread;
    if (thread == nullptr || thread->log.has_open_calls()) return nullptr;
    const bool any = is_memory_watched() || any_lent.load(std::memory_order_relaxed);
    return any && recorder.recording() && !thread->log.busy() && locks_held == 0 ? thread : nullptr;
}

struct FreedBlock {
    Thread* thread = nullptr;  ///< null: it is in no use
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

/// `bytes`: of what was mapped; 0: it is of the heap, which knows.
FreedBlock used_block(Thread* thread, void* memory, std::size_t bytes) {
    FreedBlock block;
    const auto size_of = next_function<UsableSize>(
        usable_size, "malloc_usable_size", [](void*) { return sizeof(std::uint64_t); });
    block.begin = reinterpret_cast<std::uint64_t>(memory);
    block.bytes = bytes != 0 ? bytes : size_of(memory);
    const bool used =
        is_buffer_in_use(*thread, block.begin, block.bytes) || is_lent(block.begin, block.bytes);
    if (used) block.thread = thread;
    return block;
}

void note(const FreedBlock& block, std::uint64_t return_address, std::uint64_t stack_pointer) {
    if (block.thread == nullptr) return;
    EventPayload payload;
    payload.bits(block.begin)
        .number(static_cast<std::int64_t>(block.bytes))
        .number(stack_of_call(return_address, stack_pointer));
    block.thread->log.event(model::EventKind::MemoryFreed, payload.data(), payload.size());
    // Perhaps it is unmapped.
    forget_buffers_in(block.begin, block.bytes);
    forget_windows_in(block.begin, block.bytes);
}

/// Apart from the functions that are called all the time, which need no frame then. `bytes`: as of
/// used_block().
[[gnu::noinline]] void look_at_freed(Thread* thread,
                                     void* memory,
                                     std::size_t bytes,
                                     std::uint64_t return_address,
                                     std::uint64_t stack_pointer) {
    if (memory == nullptr) return;
    const KeptErrno kept;
    note(used_block(thread, memory, bytes), return_address, stack_pointer);
}

}  // namespace

void memory_lent(std::uint64_t owner, const void* memory, std::int64_t bytes) {
    if (memory == nullptr || bytes <= 0) return;
    const Locked locked(lock);
    if (lent_count == kMostLent) return;
    lent[lent_count++] = {
        owner, reinterpret_cast<std::uint64_t>(memory), static_cast<std::uint64_t>(bytes)};
    any_lent.store(true, std::memory_order_relaxed);
}

void memory_given_back(std::uint64_t owner) {
    take_back([owner](const Lent& one) { return one.owner == owner; });
}

void memory_given_back(std::uint64_t owner, const void* memory) {
    take_back([owner, begin = reinterpret_cast<std::uint64_t>(memory)](const Lent& one) {
        return one.owner == owner && one.begin == begin;
    });
}

}  // namespace mqinspect::tracer

namespace {

using namespace mqinspect::tracer;  // NOLINT(google-build-using-namespace)

}  // namespace

MQT_EXPORT MQT_HOT void free(void* memory) {  // NOLINT: the C library's name
    if (Thread* const thread = thread_to_look_at(); thread != nullptr) [[unlikely]]
        look_at_freed(thread, memory, 0, MQT_CALLER);
    next_function<Free>(next_free, "free", __libc_free)(memory);
}

MQT_EXPORT int munmap(void* memory, std::size_t bytes) {  // NOLINT: the C library's name
    if (Thread* const thread = thread_to_look_at(); thread != nullptr && bytes != 0)
        look_at_freed(thread, memory, bytes, MQT_CALLER);
    return static_cast<int>(syscall(SYS_munmap, memory, bytes));
}

MQT_EXPORT void* realloc(void* memory, std::size_t size) {  // NOLINT: the C library's name
    const auto next = next_function<Realloc>(next_realloc, "realloc", __libc_realloc);
    Thread* const thread = thread_to_look_at();
    if (thread == nullptr || memory == nullptr) [[likely]]
        return next(memory, size);
    const FreedBlock block = used_block(thread, memory, 0);
    void* const moved = next(memory, size);
    if (moved != memory && (moved != nullptr || size == 0)) {
        const KeptErrno kept;
        note(block, MQT_CALLER);
    }
    return moved;
}
