#include "tracer/control/pending_buffers.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "model/record_format.h"

#include "tracer/checksum.h"
#include "tracer/control/buffer_guards.h"
#include "tracer/event.h"
#include "tracer/handles/handle_map.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

std::atomic<int> pending_buffers{0};

namespace {

constexpr std::size_t kMost = 8;
/// For how many calls a buffer is looked at.
constexpr int kCalls = 16;
/// Longer ones get their memory from the system, and give it back when they are freed: a program
/// that does so too early must not fail here.
constexpr std::int64_t kLongest = 65536;
constexpr std::size_t kWord = sizeof(std::uint64_t);
/// That are looked at: all of a short buffer, of a longer one the first, the last, and some
/// between.
constexpr std::size_t kMostWords = 8;
constexpr std::uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
constexpr std::uint64_t kPage = 4096;

struct Buffer {
    std::int64_t request = model::kNullHandle;
    std::uint64_t window = 0;  ///< 0: of no one-sided operation
    const std::uint8_t* place = nullptr;
    std::size_t bytes = 0;

    const std::uint8_t* first = nullptr;     ///< word
    std::uint64_t mask = ~std::uint64_t{0};  ///< of the first
    std::size_t between = 0;                 ///< words, so many bytes from one to the next:
    std::size_t step = kWord;
    const std::uint8_t* last = nullptr;  ///< word; null: there is only one
    std::uint64_t sum = 0;
    int calls = 0;  ///< since the start
    BufferUse use = BufferUse::Read;
    bool touched = false;  ///< and noted
};

/// Of the first thread only; the oldest one first.
std::array<Buffer, kMost> buffers;

int count() {
    return pending_buffers.load(std::memory_order_relaxed);
}

void choose_words(Buffer& buffer) {
    buffer.first = buffer.place;
    if (buffer.bytes < kWord) {
        // A word that holds it, on the same page.
        const std::uint64_t missing = kWord - buffer.bytes;
        buffer.mask >>= kWord * missing;
        if ((reinterpret_cast<std::uint64_t>(buffer.place) & (kPage - 1)) <= kPage - kWord) return;
        buffer.first -= missing;
        buffer.mask <<= kWord * missing;
        return;
    }
    if (buffer.bytes == kWord) return;
    buffer.last = buffer.place + buffer.bytes - kWord;
    buffer.between = (buffer.bytes - 1) / kWord - 1;
    if (buffer.between > kMostWords - 2) {
        buffer.between = kMostWords - 2;
        buffer.step = (buffer.bytes - kWord) / (kMostWords - 1);
    }
}

inline std::uint64_t sum_of(const Buffer& buffer) {
    std::uint64_t sum = load_word(buffer.first) & buffer.mask;
    if (buffer.last == nullptr) return sum;
    const std::uint8_t* at = buffer.first;
    for (std::size_t i = 0; i < buffer.between; ++i)
        sum = sum * kFactor + load_word(at += buffer.step);
    return sum * kFactor + load_word(buffer.last);
}

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::strcmp(value, "0") != 0 && std::strcmp(value, "no") != 0;
}

/// With MPICH's device ch3 receivers copy what arrives, in calls. Elsewhere a peer or the network
/// may write to a buffer at any time.
bool writes_in_calls_only() {
    enum class Answer { Unknown, Yes, No };
    static Answer answer = Answer::Unknown;
    if (answer == Answer::Unknown) {
        static char library[MPI_MAX_LIBRARY_VERSION_STRING + 1];
        int length = 0;
        pmpi.Get_library_version(library, &length);
        const bool yes = std::strstr(library, "ch3:") != nullptr &&
                         !is_set("MPICH_ASYNC_PROGRESS") && !is_set("MPIR_CVAR_ASYNC_PROGRESS");
        answer = yes ? Answer::Yes : Answer::No;
    }
    return answer == Answer::Yes;
}

/// The first piece of the buffer's memory; none: nothing can be said of it.
Buffer piece_of(const void* buffer, std::int64_t count, const DatatypeInfo* datatype) {
    Buffer piece;
    std::int64_t bytes = 0;
    if (datatype == nullptr || count <= 0 ||
        __builtin_mul_overflow(count, datatype->extent, &bytes) || bytes > kLongest)
        return piece;
    std::int64_t offset = datatype->true_lower_bound;
    if (datatype->dense) {
        bytes = count * datatype->size;
    } else if (datatype->segments != nullptr && datatype->segment_count != 0) {
        offset = datatype->segments[0].offset;
        bytes = datatype->segments[0].bytes;
    } else {
        return piece;
    }
    const auto place = reinterpret_cast<std::uint64_t>(buffer) + static_cast<std::uint64_t>(offset);
    if (bytes <= 0 || bytes > kLongest || !is_checkable(place)) return piece;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): MPI_BOTTOM is null, and types have addresses
    piece.place = reinterpret_cast<const std::uint8_t*>(place);
    piece.bytes = static_cast<std::size_t>(bytes);
    choose_words(piece);
    return piece;
}

bool may_look(BufferUse use) {
    return recorder.options().checksum_bytes != 0 && !recorder.has_several_threads() &&
           (use == BufferUse::Read || writes_in_calls_only());
}

void add(const Buffer& buffer) {
    if (buffer.place == nullptr) return;
    auto known = static_cast<std::size_t>(count());
    if (known == kMost) {
        std::copy(buffers.begin() + 1, buffers.end(), buffers.begin());
        --known;
    }
    buffers[known] = buffer;
    pending_buffers.store(static_cast<int>(known) + 1, std::memory_order_relaxed);
}

template <class Predicate>
void remove(Predicate is_over) {
    const auto end = buffers.begin() + count();
    const auto left = std::remove_if(buffers.begin(), end, is_over);
    pending_buffers.store(static_cast<int>(left - buffers.begin()), std::memory_order_relaxed);
}

/// Other threads' calls may change what is the first thread's.
bool is_alone(const Thread& thread) {
    if (!recorder.has_several_threads()) return true;
    if (thread.id == 0) forget_buffers();
    return false;
}

/// `stack`: of the instruction that has touched it, -1: not known.
void note(Thread& thread, const Buffer& buffer, std::int64_t stack) {
    EventPayload payload;
    payload.number(buffer.request)
        .bits(reinterpret_cast<std::uint64_t>(buffer.place))
        .number(static_cast<std::int64_t>(buffer.bytes))
        .number(stack);
    thread.log.event(model::EventKind::Overwritten, payload.data(), payload.size());
}

/// Those that have changed, which are noted, and those that need not be looked at any more.
void take_out(Thread& thread) {
    remove([&thread](const Buffer& buffer) {
        if (buffer.touched) return true;
        if (sum_of(buffer) == buffer.sum) return buffer.calls > kCalls;
        note(thread, buffer, -1);
        return true;
    });
}

/// The newest ones first.
void guard_buffers() {
    std::array<GuardedRange, kMost> ranges;
    const auto known = static_cast<std::size_t>(count());
    for (std::size_t i = 0; i < known; ++i) {
        const Buffer& buffer = buffers[known - 1 - i];
        ranges[i] = {reinterpret_cast<std::uint64_t>(buffer.place),
                     buffer.bytes,
                     buffer.use == BufferUse::Written};
    }
    raise_guards(ranges.data(), known);
}

}  // namespace

void buffer_in_use(std::int64_t request,
                   const void* buffer,
                   std::int64_t count,
                   const DatatypeInfo* datatype,
                   BufferUse use) {
    if (request < 0 || !may_look(use)) return;
    Buffer piece = piece_of(buffer, count, datatype);
    piece.request = request;
    piece.use = use;
    add(piece);
}

void origin_in_use(std::int64_t request,
                   MPI_Win window,
                   const void* buffer,
                   std::int64_t count,
                   MPI_Datatype datatype,
                   BufferUse use) {
    if (!may_look(use)) return;
    Buffer piece = piece_of(buffer, count, datatype_info(datatype));
    piece.request = request;
    piece.use = use;
    piece.window = handle_bits(window);
    add(piece);
}

void buffer_released(std::int64_t request) {
    if (count() == 0 || recorder.has_several_threads()) return;
    remove([request](const Buffer& buffer) { return buffer.request == request; });
}

void origins_released(MPI_Win window) {
    if (count() == 0 || recorder.has_several_threads()) return;
    remove([of = handle_bits(window)](const Buffer& buffer) { return buffer.window == of; });
}

void look_at_buffers(Thread& thread) {
    if (thread.id == 0 && recorder.options().guard) lower_guards();
    if (!is_alone(thread)) return;
    bool any = false;
    for (int i = 0; i < count(); ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        any = any || buffer.touched || sum_of(buffer) != buffer.sum || ++buffer.calls > kCalls;
    }
    if (any) [[unlikely]]
        take_out(thread);
}

void remember_buffers(const Thread& thread) {
    if (!is_alone(thread)) return;
    for (int i = 0; i < count(); ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        buffer.sum = sum_of(buffer);
    }
    if (recorder.options().guard) [[unlikely]]
        guard_buffers();
}

void buffer_touched(Thread& thread, std::uint64_t address, std::int64_t stack) {
    if (thread.id != 0) return;
    for (int i = 0; i < count(); ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(buffer.place);
        if (buffer.touched || offset >= buffer.bytes) continue;
        buffer.touched = true;
        note(thread, buffer, stack);
    }
}

void forget_buffers() {
    if (recorder.options().guard) lower_guards();
    pending_buffers.store(0, std::memory_order_relaxed);
}

}  // namespace mqinspect::tracer
