#include "tracer/control/heap_blocks.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "tracer/event.h"
#include "tracer/kept_errno.h"
#include "tracer/recorder.h"
#include "tracer/stack/guarded.h"

extern "C" void* __libc_malloc(std::size_t size);  // NOLINT: the C library's name
extern "C" void __libc_free(void* memory);         // NOLINT: the same

namespace mqinspect::tracer {

namespace {

// Of glibc (malloc/malloc.c): a block's length and flags are in the word in front of it, the flag
// that says whether it is in use in the next block's.
constexpr std::uint64_t kHead = 16;
constexpr std::uint64_t kLeast = 32;
constexpr std::uint64_t kPreviousInUse = 1;
constexpr std::uint64_t kMapped = 2;
constexpr std::uint64_t kFlags = 7;
constexpr std::uint64_t kPage = 4096;

/// Blocks that are passed in all walks of the process: some milliseconds.
constexpr std::int64_t kMostPassed = 2'000'000;
std::atomic<std::int64_t> passed{0};

std::uint64_t word_at(std::uint64_t address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what there is
    return *reinterpret_cast<const volatile std::uint64_t*>(address);
}

/// Field 47 of proc_pid_stat(5); 0: not known.
std::uint64_t begin_of_data_segment() {
    char text[2048];
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t bytes = read(file, text, sizeof text - 1);
    close(file);
    if (bytes <= 0) return 0;
    text[bytes] = '\0';
    // The second field is a name, which may hold anything.
    const char* field = std::strrchr(text, ')');
    constexpr int behind_name = 47 - 2;
    for (int i = 0; i < behind_name && field != nullptr; ++i)
        field = std::strchr(field + 1, ' ');
    return field == nullptr ? 0 : std::strtoull(field, nullptr, 10);
}

/// The heap of the first arena goes from here to what sbrk(2) says.
std::uint64_t heap_begin() {
    static std::atomic<std::uint64_t> known{0};
    if (known.load(std::memory_order_relaxed) == 0) {
        const std::uint64_t begin = begin_of_data_segment();
        known.store((begin + kHead - 1) / kHead * kHead, std::memory_order_relaxed);
    }
    return known.load(std::memory_order_relaxed);
}

std::uint64_t heap_end() {
    return reinterpret_cast<std::uint64_t>(sbrk(0));
}

/// What free writes behind the first word of a small block that it keeps for the thread, since
/// glibc 2.34 a number of its own in each process.
std::uint64_t mark_of_free() {
    static std::atomic<std::uint64_t> known{0};
    std::uint64_t mark = known.load(std::memory_order_relaxed);
    if (mark != 0) return mark;
    void* const block = __libc_malloc(sizeof(std::uint64_t) * 3);
    if (block == nullptr) return 0;
    __libc_free(block);
    mark = word_at(reinterpret_cast<std::uint64_t>(block) + sizeof(std::uint64_t));
    // A pointer, or a small number, is no such mark: any program may write that.
    if (mark >> 48U == 0) mark = 1;
    known.store(mark, std::memory_order_relaxed);
    return mark;
}

bool has_mark_of_free(std::uint64_t begin) {
    const std::uint64_t mark = mark_of_free();
    return mark > 1 && word_at(begin + sizeof(std::uint64_t)) == mark;
}

/// From block to block; false: they do not lie one behind the other up to there.
bool walk(std::uint64_t first, std::uint64_t end, std::uint64_t address, HeapBlock& block) {
    std::int64_t left = kMostPassed - passed.load(std::memory_order_relaxed);
    const std::int64_t at_first = left;
    for (std::uint64_t at = first; left > 0 && at + kHead < end; --left) {
        const std::uint64_t head = word_at(at + sizeof(std::uint64_t));
        const std::uint64_t bytes = head & ~kFlags;
        const bool sound = bytes >= kLeast && bytes % kHead == 0 && bytes <= end - at &&
                           (head & (kFlags & ~kPreviousInUse)) == 0;
        if (!sound) break;
        if (address >= at + bytes + sizeof(std::uint64_t)) {
            at += bytes;
            continue;
        }
        passed.fetch_add(at_first - left, std::memory_order_relaxed);
        // In a length itself, or in front of all blocks, is no buffer.
        if (address < at + kHead) return false;
        const bool last = bytes == end - at;
        const bool used =
            !last && (word_at(at + bytes + sizeof(std::uint64_t)) & kPreviousInUse) != 0;
        block = {at + kHead, bytes - sizeof(std::uint64_t), !used};
        if (last) block.bytes = bytes - kHead;
        if (used && has_mark_of_free(block.begin)) block.given_back = true;
        return true;
    }
    passed.fetch_add(at_first - left, std::memory_order_relaxed);
    return false;
}

/// What another thread does meanwhile may show a walk anything, but not the same twice.
bool walk_twice(std::uint64_t address, HeapBlock& block) {
    const std::uint64_t begin = heap_begin();
    const std::uint64_t end = heap_end();
    if (begin == 0 || address < begin || address >= end) return false;
    HeapBlock again;
    return walk(begin, end, address, block) &&
           (__libc_single_threaded != 0 ||
            (walk(begin, heap_end(), address, again) && again.begin == block.begin &&
             again.bytes == block.bytes && again.given_back == block.given_back));
}

/// Through the kernel, which survives a wrong address.
bool read_through_kernel(std::uint64_t address, void* to, std::size_t bytes) {
    const iovec local{to, bytes};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what there is
    const iovec remote{reinterpret_cast<void*>(address), bytes};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes);
}

/// A block that has pages of its own, if the address is its first.
bool find_mapped(std::uint64_t address, HeapBlock& block) {
    if (address % kPage != kHead) return false;
    const std::uint64_t at = address - kHead;
    std::uint64_t words[2] = {};
    if (!read_through_kernel(at, words, sizeof words)) return false;
    const std::uint64_t bytes = words[1] & ~kFlags;
    const bool sound =
        words[0] == 0 && (words[1] & kFlags) == kMapped && bytes != 0 && bytes % kPage == 0;
    std::uint64_t last = 0;
    if (!sound || !read_through_kernel(at + bytes - sizeof last, &last, sizeof last)) return false;
    block = {address, bytes - kHead, false};
    return true;
}

/// See MQT_ATTEMPT: another thread may shrink the heap meanwhile.
[[gnu::noinline]] bool attempt_to_walk(std::uint64_t address, HeapBlock* block) {
    const Attempt attempt;
    return MQT_ATTEMPT(attempt) && walk_twice(address, *block);
}

/// Of the C library, and not of something that takes its place.
bool is_heap_known() {
    return reinterpret_cast<void*>(&malloc) == reinterpret_cast<void*>(&__libc_malloc);
}

bool is_buffer(const Parameter& parameter) {
    return parameter.kind == model::ParameterKind::Buffer &&
           parameter.direction != model::Direction::Out;
}

void note(Thread& thread, std::uint64_t address, const HeapBlock& block) {
    EventPayload payload;
    payload.bits(address)
        .bits(block.begin)
        .number(static_cast<std::int64_t>(block.bytes))
        .number(block.given_back ? 1 : 0);
    thread.log.event(model::EventKind::HeapBlock, payload.data(), payload.size());
}

}  // namespace

bool find_heap_block(std::uint64_t address, HeapBlock& block) {
    return is_heap_known() && (attempt_to_walk(address, &block) || find_mapped(address, block));
}

void look_at_heap(Thread& thread, Site& site, const std::int64_t* values) {
    if (!recorder.options().signals) {
        site.heap_looks = kNoHeapLooks;
        return;
    }
    const KeptErrno kept;
    ++site.heap_looks;
    std::size_t value = 0;
    bool any = false;
    const Procedure& procedure = *site.procedure;
    for (std::size_t i = 0; i < procedure.parameter_count; ++i) {
        const Parameter& parameter = procedure.parameters[i];
        if (parameter.direction == model::Direction::Out) continue;
        const auto address = static_cast<std::uint64_t>(values[value++]);
        if (!is_buffer(parameter)) continue;
        any = true;
        HeapBlock block;
        if (address >= kPage && find_heap_block(address, block)) note(thread, address, block);
    }
    if (!any) site.heap_looks = kNoHeapLooks;
}

}  // namespace mqinspect::tracer
