#include "tracer/control/heap_blocks.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "tracer/event.h"
#include "tracer/kept_errno.h"
#include "tracer/log/memory.h"
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

/// Of an address.
struct HeapBlock {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;  ///< that the program may use, at least those it asked for
    bool given_back = false;  ///< by the program; nobody has it
};

/// Blocks that are passed in all walks of the process: some milliseconds.
constexpr std::int64_t kMostPassed = 2'000'000;
std::atomic<std::int64_t> passed{0};

const std::uint64_t* place_of(std::uint64_t address) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what there is
    return reinterpret_cast<const std::uint64_t*>(address);
}

std::uint64_t word_at(std::uint64_t address) {
    return *static_cast<const volatile std::uint64_t*>(place_of(address));
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

/// With its length in front, as they lie one behind the other.
struct Chunk {
    std::uint64_t at = 0;
    std::uint64_t bytes = 0;
};

/// The one that an address lies in, or in whose head; false: they do not lie one behind the other
/// up to there, or there are too many.
bool find_chunk(std::uint64_t first, std::uint64_t end, std::uint64_t address, Chunk& chunk) {
    const std::int64_t most = kMostPassed - passed.load(std::memory_order_relaxed);
    std::int64_t count = 0;
    bool found = false;
    for (chunk.at = first; !found && count < most && chunk.at + kHead < end; ++count) {
        const std::uint64_t head = word_at(chunk.at + sizeof(std::uint64_t));
        chunk.bytes = head & ~kFlags;
        const bool sound = chunk.bytes >= kLeast && chunk.bytes % kHead == 0 &&
                           chunk.bytes <= end - chunk.at &&
                           (head & (kFlags & ~kPreviousInUse)) == 0;
        if (!sound) break;
        found = address < chunk.at + chunk.bytes + sizeof(std::uint64_t);
        if (!found) chunk.at += chunk.bytes;
    }
    passed.fetch_add(count, std::memory_order_relaxed);
    return found;
}

bool walk(std::uint64_t first, std::uint64_t end, std::uint64_t address, HeapBlock& block) {
    Chunk chunk;
    // In a length itself, or in front of all blocks, is no buffer.
    if (!find_chunk(first, end, address, chunk) || address < chunk.at + kHead) return false;
    block.begin = chunk.at + kHead;
    if (chunk.bytes == end - chunk.at) {
        block.bytes = chunk.bytes - kHead;
        block.given_back = true;
        return true;
    }
    // The word behind it is the program's, too, as long as it has the block.
    block.bytes = chunk.bytes - sizeof(std::uint64_t);
    const std::uint64_t next = word_at(chunk.at + chunk.bytes + sizeof(std::uint64_t));
    block.given_back = (next & kPreviousInUse) == 0 || has_mark_of_free(block.begin);
    return true;
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

/// A block that has pages of its own, if the address is its first.
bool find_mapped(std::uint64_t address, HeapBlock& block) {
    if (address % kPage != kHead) return false;
    const std::uint64_t at = address - kHead;
    std::uint64_t words[2] = {};
    if (!read_through_kernel(place_of(at), words, sizeof words)) return false;
    const std::uint64_t bytes = words[1] & ~kFlags;
    const bool sound =
        words[0] == 0 && (words[1] & kFlags) == kMapped && bytes != 0 && bytes % kPage == 0;
    if (!sound) return false;
    block = {address, bytes - kHead, false};
    std::uint64_t last = 0;
    return read_through_kernel(place_of(at + bytes - sizeof last), &last, sizeof last);
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

bool find_heap_block(std::uint64_t address, HeapBlock& block) {
    return is_heap_known() && (attempt_to_walk(address, &block) || find_mapped(address, block));
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
        if (parameter.kind != model::ParameterKind::Buffer) continue;
        any = true;
        HeapBlock block;
        if (address >= kPage && find_heap_block(address, block)) note(thread, address, block);
    }
    if (!any) site.heap_looks = kNoHeapLooks;
}

}  // namespace mqinspect::tracer
