#include "tracer/control/pending_buffers.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "model/record_format.h"

#include "tracer/control/buffer_piece.h"
#include "tracer/control/local_memory.h"
#include "tracer/event.h"
#include "tracer/handles/handle_map.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

namespace {

constexpr int kMost = 8;
/// For how many calls a buffer is looked at.
constexpr int kCalls = 16;

struct Buffer : BufferPiece {
    std::int64_t request = model::kNullHandle;
    std::uint64_t owner = 0;  ///< the handle of a window or file; 0: the request is enough
    std::uint64_t sum = 0;
    int calls = 0;  ///< since the start
    BufferUse use = BufferUse::Read;
    bool touched = false;  ///< and noted
};

/// Of the first thread only; the oldest one first. Behind those that are known the next one is
/// filled in: copying what was just stored in pieces would wait for the stores.
std::array<Buffer, std::size_t{kMost} + 1> buffers;
int known = 0;

Buffer& next_buffer() {
    return buffers[static_cast<std::size_t>(known)];
}

/// Of persistent operations, started or not.
constexpr std::size_t kMostKept = 16;
std::array<Buffer, kMostKept> kept;
std::size_t kept_count = 0;

void set_count(std::ptrdiff_t count) {
    known = static_cast<int>(count);
    buffers_in_use = static_cast<std::size_t>(count) + kept_count;
    watched_memory_changed();
}

void set_kept_count(std::ptrdiff_t count) {
    kept_count = static_cast<std::size_t>(count);
    buffers_in_use = static_cast<std::size_t>(known) + kept_count;
}

bool meets(const Buffer& buffer, std::uint64_t begin, std::uint64_t bytes) {
    const auto place = reinterpret_cast<std::uint64_t>(buffer.place);
    return place < begin + bytes && begin < place + buffer.bytes;
}

/// A piece of the buffer's memory, but for whose it is. False: nothing can be said of it.
bool describe(Buffer& piece,
              const void* buffer,
              std::int64_t count,
              const DatatypeInfo* datatype,
              BufferUse use,
              std::int64_t number = 0) {
    piece = {};
    if (!describe_piece(piece, buffer, count, datatype, number)) return false;
    // Perhaps it is there no more when it is looked at.
    if (use == BufferUse::Written && piece.bytes > static_cast<std::size_t>(kLongestRead))
        use = BufferUse::WrittenAside;
    piece.use = use;
    if (use == BufferUse::WrittenAside || use == BufferUse::Sent) look_at_nothing(piece);
    return true;
}

/// By the first thread.
bool may_look() {
    return recorder.options().checksum_bytes != 0 && !recorder.has_several_threads();
}

/// What others may write to at any time cannot be compared.
BufferUse use_here(BufferUse use) {
    const bool aside = use == BufferUse::Written && !writes_in_calls_only();
    return aside ? BufferUse::WrittenAside : use;
}

bool is_argument(const Buffer& buffer) {
    return buffer.use == BufferUse::Argument || buffer.use == BufferUse::KeptArgument;
}

/// Its place is rather another one's: some operations have many arguments, and sends have
/// checksums.
bool gives_way(const Buffer& buffer) {
    return is_argument(buffer) || buffer.use == BufferUse::Sent;
}

/// next_buffer() is known from now on.
void add_next() {
    if (known < kMost) [[likely]]
        return set_count(known + 1);
    const auto last = buffers.end() - 1;
    auto* oldest = std::find_if(buffers.begin(), last, gives_way);
    if (oldest == last) {
        if (gives_way(next_buffer())) return;
        oldest = buffers.begin();
    }
    std::copy(oldest + 1, buffers.end(), oldest);
}

/// For the threads; `description`: of its memory and use.
void share(const Buffer& description, std::int64_t request, std::uint64_t owner) {
    const bool written =
        description.use == BufferUse::Written || description.use == BufferUse::WrittenAside;
    share_buffer({request,
                  owner,
                  reinterpret_cast<std::uint64_t>(description.place),
                  description.bytes,
                  written,
                  is_argument(description)});
}

/// By the threads, of the call that is open.
bool may_share() {
    const Site* const site = has_threads() ? innermost_site() : nullptr;
    return site != nullptr && may_be_guarded_in_threads(*site);
}

[[gnu::noinline]] void share(const void* buffer,
                             std::int64_t count,
                             const DatatypeInfo* datatype,
                             BufferUse use,
                             std::int64_t request,
                             std::uint64_t owner) {
    Buffer described;
    if (may_share() && describe(described, buffer, count, datatype, use_here(use)))
        share(described, request, owner);
}

/// Operations that a call site starts whose buffers are looked at: what goes well so often costs
/// no time any more.
constexpr std::uint16_t kMostOfSite = 4096;

/// Of the call that is open.
bool is_among_first() {
    const Site* const site = innermost_site();
    if (site == nullptr || recorder.options().guards == Guards::All) return true;
    if (site->buffers == kMostOfSite) [[likely]]
        return false;
    ++site->buffers;
    return true;
}

/// By whom it may be looked at: nobody, mostly.
bool is_of_interest() {
    return has_threads() || may_look();
}

[[gnu::noinline]] void add(const void* buffer,
                           std::int64_t count,
                           const DatatypeInfo* datatype,
                           BufferUse use,
                           std::int64_t request,
                           std::uint64_t owner) {
    if (has_threads()) [[unlikely]]
        share(buffer, count, datatype, use, request, owner);
    if (!may_look()) return;
    const std::int64_t pieces = pieces_of(count, datatype);
    for (std::int64_t i = 0; i < pieces; ++i) {
        Buffer& next = next_buffer();
        if (!describe(next, buffer, count, datatype, use_here(use), i)) return;
        next.request = request;
        next.owner = owner;
        add_next();
    }
}

template <class Predicate>
void remove(Predicate is_over) {
    const auto end = buffers.begin() + known;
    const auto first = std::find_if(buffers.begin(), end, is_over);
    if (first != end) set_count(std::remove_if(first, end, is_over) - buffers.begin());
}

/// `stack`: of the instruction that has touched it, -1: not known.
void note(Thread& thread, const Buffer& buffer, std::int64_t stack) {
    note_overwritten(thread,
                     {buffer.request,
                      reinterpret_cast<std::uint64_t>(buffer.place),
                      buffer.bytes,
                      stack,
                      is_argument(buffer)});
}

/// What other threads have touched while the first one's watchpoints were theirs, too.
struct TouchElsewhere {
    std::uint64_t address = 0;
    std::int64_t stack = -1;
    std::atomic<bool> ready{false};
};
std::array<TouchElsewhere, 4> touches_elsewhere;
std::atomic<std::size_t> touched_elsewhere_count{0};

void take_touches_elsewhere(Thread& thread) {
    for (TouchElsewhere& touch : touches_elsewhere) {
        if (!touch.ready.exchange(false, std::memory_order_acquire)) continue;
        buffer_touched(thread, touch.address, touch.stack);
    }
    touched_elsewhere_count.store(0, std::memory_order_relaxed);
}

bool are_shared() {
    return shared_buffers.load(std::memory_order_relaxed) != 0 && this_thread != nullptr;
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

}  // namespace

std::size_t buffers_in_use = 0;

bool is_buffer_in_use(const Thread& thread, std::uint64_t begin, std::uint64_t bytes) {
    if (is_buffer_shared(begin, bytes)) return true;
    if (thread.id != 0 || recorder.has_several_threads()) return false;
    return std::any_of(buffers.begin(), buffers.begin() + known, [&](const Buffer& buffer) {
        return meets(buffer, begin, bytes);
    });
}

void forget_buffers_in(std::uint64_t begin, std::uint64_t bytes) {
    if (recorder.has_several_threads()) return;
    const auto is_in = [&](const Buffer& buffer) { return meets(buffer, begin, bytes); };
    remove(is_in);
    const auto end = kept.begin() + kept_count;
    set_kept_count(std::remove_if(kept.begin(), end, is_in) - kept.begin());
}

void note_overwritten(Thread& thread, const Overwritten& overwritten) {
    EventPayload payload;
    payload.number(overwritten.request)
        .bits(overwritten.begin)
        .number(static_cast<std::int64_t>(overwritten.bytes))
        .number(overwritten.stack)
        .number(overwritten.argument ? 1 : 0);
    thread.log.event(model::EventKind::Overwritten, payload.data(), payload.size());
}

namespace {

/// Out of the way of those that look at nothing.
[[gnu::noinline]] void take_in(std::int64_t request,
                               const void* buffer,
                               std::int64_t count,
                               const DatatypeInfo* datatype,
                               BufferUse use) {
    if (request >= 0) {
        if (is_among_first()) add(buffer, count, datatype, use, request, 0);
        return;
    }
    if (request != kUntilReturn) return;
    const auto call = reinterpret_cast<std::uint64_t>(this_thread);
    share(buffer, count, datatype, use, model::kNullHandle, call);
}

}  // namespace

[[gnu::hot]] void buffer_in_use(std::int64_t request,
                                const void* buffer,
                                std::int64_t count,
                                const DatatypeInfo* datatype,
                                BufferUse use) {
    if (is_of_interest()) take_in(request, buffer, count, datatype, use);
}

void buffer_kept(std::int64_t request,
                 const void* buffer,
                 std::int64_t count,
                 const DatatypeInfo* datatype,
                 BufferUse use) {
    if (request < 0 || kept_count == kMostKept || !may_look()) return;
    Buffer& next = kept[kept_count];
    if (!describe(next, buffer, count, datatype, use_here(use))) return;
    next.request = request;
    set_kept_count(static_cast<std::ptrdiff_t>(kept_count) + 1);
}

void kept_in_use(std::int64_t request) {
    for (std::size_t i = 0; i < kept_count; ++i) {
        if (kept[i].request != request || !may_look()) continue;
        next_buffer() = kept[i];
        add_next();
    }
}

void origin_in_use(std::int64_t request,
                   MPI_Win window,
                   const void* buffer,
                   std::int64_t count,
                   MPI_Datatype datatype,
                   BufferUse use) {
    add(buffer, count, datatype_info(datatype), use, request, handle_bits(window));
}

void call_over(Thread& thread) {
    unshare_owner(thread, reinterpret_cast<std::uint64_t>(&thread));
}

void array_in_use(std::int64_t request, const void* array, std::int64_t bytes, BufferUse use) {
    if (request >= 0) add(array, bytes, datatype_info(MPI_BYTE), use, request, 0);
}

PartedBuffer::PartedBuffer(std::int64_t request, const void* buffer, BufferUse use, bool persistent)
    : request_(request),
      buffer_(buffer),
      use_(use),
      persistent_(persistent),
      wanted_(request >= 0 && buffer != MPI_IN_PLACE && may_look()) {}

bool PartedBuffer::joins_last(const Part& part) {
    if (count_ == 0 || !part.bytes || !parts_[count_ - 1].bytes) return false;
    Part& last = parts_[count_ - 1];
    const bool behind = part.offset == last.offset + last.count;
    if (!behind && part.offset + part.count != last.offset) return false;
    if (!behind) last.offset = part.offset;
    last.count += part.count;
    return true;
}

void PartedBuffer::add(std::int64_t offset, std::int64_t count, MPI_Datatype datatype) {
    const DatatypeInfo* const info = count > 0 ? datatype_info(datatype) : nullptr;
    if (info == nullptr) return;
    Part part{offset, count, info, false};
    std::int64_t bytes = 0;
    if (info->dense && !__builtin_mul_overflow(count, info->size, &bytes) &&
        bytes <= kLongestRead) {
        part = {offset + info->true_lower_bound, bytes, info, true};
    }
    if (!joins_last(part) && count_ < kMostParts) parts_[count_++] = part;
}

void PartedBuffer::finish() const {
    const DatatypeInfo* const of_byte = datatype_info(MPI_BYTE);
    for (std::size_t i = 0; i < count_; ++i) {
        const Part& part = parts_[i];
        const auto address =
            reinterpret_cast<std::uint64_t>(buffer_) + static_cast<std::uint64_t>(part.offset);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): MPI_BOTTOM is null, and offsets are addresses
        const auto* const place = reinterpret_cast<const void*>(address);
        const DatatypeInfo* const datatype = part.bytes ? of_byte : part.datatype;
        if (persistent_) {
            buffer_kept(request_, place, part.count, datatype, use_);
        } else {
            buffer_in_use(request_, place, part.count, datatype, use_);
        }
    }
}

void file_buffer_in_use(
    MPI_File file, const void* buffer, std::int64_t count, MPI_Datatype datatype, BufferUse use) {
    add(buffer, count, datatype_info(datatype), use, model::kNullHandle, handle_bits(file));
}

void file_buffer_released(MPI_File file) {
    if (are_shared()) unshare_owner(*this_thread, handle_bits(file));
    if (known == 0 || recorder.has_several_threads()) return;
    remove([of = handle_bits(file)](const Buffer& buffer) { return buffer.owner == of; });
}

[[gnu::hot]] void release_buffer(std::int64_t request) {
    if (are_shared()) unshare_buffer(*this_thread, request);
    if (known == 0 || recorder.has_several_threads()) return;
    remove([request](const Buffer& buffer) {
        return buffer.request == request && buffer.use != BufferUse::KeptArgument;
    });
}

[[gnu::hot]] void release_arguments(std::int64_t request) {
    if (are_shared()) unshare_request(*this_thread, request);
    if (recorder.has_several_threads()) return;
    const auto is_over = [request](const Buffer& buffer) { return buffer.request == request; };
    remove(is_over);
    if (kept_count == 0) return;
    const auto end = kept.begin() + kept_count;
    set_kept_count(std::remove_if(kept.begin(), end, is_over) - kept.begin());
}

void origins_released(MPI_Win window) {
    if (are_shared()) unshare_owner(*this_thread, handle_bits(window));
    if (known == 0 || recorder.has_several_threads()) return;
    remove([of = handle_bits(window)](const Buffer& buffer) { return buffer.owner == of; });
}

int known_buffers() {
    return known;
}

void touched_elsewhere(std::uint64_t address, std::int64_t stack) {
    const std::size_t at = touched_elsewhere_count.fetch_add(1);
    if (at >= touches_elsewhere.size()) return;
    touches_elsewhere[at].address = address;
    touches_elsewhere[at].stack = stack;
    touches_elsewhere[at].ready.store(true, std::memory_order_release);
}

[[gnu::hot]] void look_at_buffers(Thread& thread) {
    if (touched_elsewhere_count.load(std::memory_order_relaxed) != 0) [[unlikely]]
        take_touches_elsewhere(thread);
    bool any = false;
    for (int i = 0; i < known; ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        any = any || buffer.touched || sum_of(buffer) != buffer.sum || ++buffer.calls > kCalls;
    }
    if (any) [[unlikely]]
        take_out(thread);
}

[[gnu::hot]] void remember_buffers() {
    for (int i = 0; i < known; ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        buffer.sum = sum_of(buffer);
    }
}

std::size_t buffers_to_guard(GuardedRange* ranges) {
    const bool pages = recorder.options().guards == Guards::All;
    for (int i = 0; i < known; ++i) {
        const Buffer& buffer = buffers[static_cast<std::size_t>(known - 1 - i)];
        const bool written = buffer.use == BufferUse::Written;
        ranges[i] = {.begin = reinterpret_cast<std::uint64_t>(buffer.place),
                     .bytes = buffer.bytes,
                     .loads = written || buffer.use == BufferUse::WrittenAside,
                     .pages = written && pages,
                     .compared = buffer.mask != 0};
    }
    return static_cast<std::size_t>(known);
}

bool buffer_touched(Thread& thread, std::uint64_t address, std::int64_t stack) {
    bool any = false;
    for (int i = 0; i < known; ++i) {
        Buffer& buffer = buffers[static_cast<std::size_t>(i)];
        const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(buffer.place);
        if (offset >= buffer.bytes) continue;
        any = true;
        if (buffer.touched) continue;
        buffer.touched = true;
        note(thread, buffer, stack);
    }
    return any;
}

void forget_buffers() {
    set_count(0);
}

}  // namespace mqinspect::tracer
