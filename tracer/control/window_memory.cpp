#include "tracer/control/window_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>

#include "model/record_format.h"

#include "tracer/checksum.h"
#include "tracer/control/instruction.h"
#include "tracer/control/local_memory.h"
#include "tracer/event.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kMost = 4;
/// From the beginning of a window, that are compared.
constexpr std::size_t kMostBytes = 512;
/// Noted at a time.
constexpr int kMostRuns = 8;
constexpr std::size_t kWord = sizeof(std::uint64_t);

struct WindowMemory {
    std::uint64_t window = 0;
    std::uint8_t* base = nullptr;
    std::size_t bytes = 0;
    std::size_t compared = 0;  ///< of these, from the beginning, if `own`
    std::size_t element = 0;   ///< bytes of what is caught as one
    std::size_t step = 0;      ///< bytes from one element to the next
    bool own = false;          ///< nobody else writes to it between calls, and it may be read
    bool remembered = false;
    std::uint64_t loaded = 0;  ///< the address that has been loaded from last, 0: none
    std::array<std::uint8_t, kMostBytes> before{};
};

/// Of the first thread only.
std::array<WindowMemory, kMost> windows;
std::size_t count = 0;

/// Of other threads, until the first one notes it.
struct TouchElsewhere {
    std::uint64_t address = 0;
    std::int64_t stack = -1;
    bool stored = false;
    std::atomic<bool> ready{false};
};
std::array<TouchElsewhere, 16> touches_elsewhere;
std::atomic<std::size_t> next_elsewhere{0};
/// The first thread is not in MPI: what is touched now is between its calls.
std::atomic<bool> is_between_calls{false};

void note(Thread& thread, const void* place, std::size_t bytes, bool stored, std::int64_t stack) {
    EventPayload payload;
    payload.bits(reinterpret_cast<std::uint64_t>(place))
        .number(static_cast<std::int64_t>(bytes))
        .number(stored ? 1 : 0)
        .number(stack);
    thread.log.event(model::EventKind::LocalAccess, payload.data(), payload.size());
}

/// Bytes that differ have been stored for certain, those between them perhaps not.
void note_changes(Thread& thread, const WindowMemory& memory) {
    int runs = 0;
    for (std::size_t at = 0; at < memory.compared && runs < kMostRuns; ++at) {
        const std::size_t begin = at;
        while (at < memory.compared && memory.base[at] != memory.before[at])
            ++at;
        if (at == begin) continue;
        note(thread, memory.base + begin, at - begin, true, -1);
        ++runs;
    }
}

/// Of what is compared, and may have changed by it. A watchpoint is on one byte of the element.
std::size_t length_of(const WindowMemory& memory, const Touch& touch, std::size_t offset) {
    if (offset >= memory.compared) return 0;
    return std::min(std::max(touch.bytes, memory.element), memory.compared - offset);
}

bool is_store(const WindowMemory& memory,
              const Touch& touch,
              std::size_t offset,
              bool (*has_stored)(std::uint64_t)) {
    if (touch.kind != Touch::Kind::Unknown) return touch.kind == Touch::Kind::Store;
    if (!memory.own) return has_stored(touch.address);
    return std::memcmp(memory.base + offset,
                       memory.before.data() + offset,
                       length_of(memory, touch, offset)) != 0;
}

void note_touches_elsewhere(Thread& thread) {
    for (TouchElsewhere& touch : touches_elsewhere) {
        if (!touch.ready.exchange(false, std::memory_order_acquire)) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): an address
        note(thread, reinterpret_cast<void*>(touch.address), 1, touch.stored, touch.stack);
    }
    next_elsewhere.store(0, std::memory_order_relaxed);
}

/// Null: that is no window's.
const WindowMemory* window_at(std::uint64_t address) {
    for (std::size_t i = 0; i < std::min(count, windows.size()); ++i) {
        const WindowMemory& memory = windows[i];
        // In front of it the offset is a huge number.
        if (address - reinterpret_cast<std::uint64_t>(memory.base) < memory.bytes) return &memory;
    }
    return nullptr;
}

}  // namespace

void window_memory_made(
    std::uint64_t window, const char* kind, void* base, std::int64_t bytes, std::int64_t unit) {
    const bool created = std::strcmp(kind, "MPI_Win_create") == 0;
    if (!created && !std::string_view(kind).starts_with("MPI_Win_allocate")) return;
    const bool wanted = recorder.options().guards != Guards::None && bytes > 0 && unit > 0 &&
                        is_checkable(reinterpret_cast<std::uint64_t>(base));
    if (!wanted || count == kMost || recorder.has_several_threads()) return;
    WindowMemory& memory = windows[count++];
    memory = {};
    memory.window = window;
    memory.base = static_cast<std::uint8_t*>(base);
    memory.bytes = static_cast<std::size_t>(bytes);
    memory.compared = std::min(memory.bytes, kMostBytes);
    // Displacements in bytes say nothing of what is there: numbers, most likely.
    const auto step = unit == 1 ? sizeof(int) : static_cast<std::size_t>(unit);
    memory.step = std::min(step, memory.bytes);
    memory.element = std::min(memory.step, kWord);
    memory.own =
        created && bytes <= kLongestRead && writes_in_calls_only() && !is_shared_memory(base);
    watched_memory_changed();
}

void window_memory_freed(std::uint64_t window) {
    const auto end = windows.begin() + static_cast<std::ptrdiff_t>(count);
    const auto found = std::find_if(windows.begin(), end, [window](const WindowMemory& memory) {
        return memory.window == window;
    });
    if (found == end) return;
    std::copy(found + 1, end, found);
    --count;
    watched_memory_changed();
}

void forget_windows_in(std::uint64_t begin, std::uint64_t bytes) {
    if (recorder.has_several_threads()) return;
    const auto end = windows.begin() + static_cast<std::ptrdiff_t>(count);
    const auto left = std::remove_if(windows.begin(), end, [&](const WindowMemory& memory) {
        const auto place = reinterpret_cast<std::uint64_t>(memory.base);
        return place < begin + bytes && begin < place + memory.bytes;
    });
    if (left == end) return;
    count = static_cast<std::size_t>(left - windows.begin());
    watched_memory_changed();
}

int known_windows() {
    return static_cast<int>(count);
}

void look_at_windows(Thread& thread) {
    is_between_calls.store(false, std::memory_order_relaxed);
    if (next_elsewhere.load(std::memory_order_relaxed) != 0) [[unlikely]]
        note_touches_elsewhere(thread);
    for (std::size_t i = 0; i < count; ++i) {
        WindowMemory& memory = windows[i];
        if (!memory.remembered) continue;
        memory.remembered = false;
        if (memory.own && std::memcmp(memory.base, memory.before.data(), memory.compared) != 0)
            note_changes(thread, memory);
    }
}

void remember_windows() {
    for (std::size_t i = 0; i < count; ++i) {
        WindowMemory& memory = windows[i];
        memory.remembered = true;
        memory.loaded = 0;
        if (memory.own) std::memcpy(memory.before.data(), memory.base, memory.compared);
    }
    is_between_calls.store(count != 0, std::memory_order_release);
}

std::size_t windows_to_guard(GuardedRange* ranges) {
    for (std::size_t i = 0; i < count; ++i) {
        const WindowMemory& memory = windows[i];
        const auto base = reinterpret_cast<std::uint64_t>(memory.base);
        ranges[i] = {.begin = base,
                     .bytes = memory.bytes,
                     .loads = true,
                     .told_apart = !memory.own,
                     .step = memory.step};
    }
    return count;
}

bool window_touched(Thread& thread, const Touch& touch, std::int64_t stack) {
    for (std::size_t i = 0; i < count; ++i) {
        WindowMemory& memory = windows[i];
        const std::uint64_t offset = touch.address - reinterpret_cast<std::uint64_t>(memory.base);
        // In front of it the offset is a huge number.
        if (!memory.remembered || offset >= memory.bytes) continue;
        const bool stored = is_store(memory, touch, offset, has_stored);
        std::uint8_t* const now = memory.base + offset;
        note(thread, now, touch.bytes, stored, stack);
        const std::size_t length = memory.own ? length_of(memory, touch, offset) : 0;
        if (length != 0) std::memcpy(memory.before.data() + offset, now, length);
        // A program that waits for what is put loads it again: the second time is noted, too.
        if (stored) {
            leave_alone(touch.address);
        } else if (std::exchange(memory.loaded, touch.address) == touch.address) {
            catch_stores_only(touch.address);
        }
        return true;
    }
    return false;
}

Elsewhere window_touched_elsewhere(std::uint64_t address,
                                   std::int64_t stack,
                                   bool (*has_stored)(std::uint64_t)) {
    if (!is_between_calls.load(std::memory_order_acquire)) return Elsewhere::Nothing;
    const WindowMemory* const memory = window_at(address);
    if (memory == nullptr) return Elsewhere::Nothing;
    const std::size_t offset = address - reinterpret_cast<std::uint64_t>(memory->base);
    const bool stored = is_store(*memory, {address}, offset, has_stored);
    const std::size_t at = next_elsewhere.fetch_add(1);
    if (at >= touches_elsewhere.size()) return Elsewhere::Enough;
    TouchElsewhere& touch = touches_elsewhere[at];
    touch.address = address;
    touch.stack = stack;
    touch.stored = stored;
    touch.ready.store(true, std::memory_order_release);
    // A store may follow the load of what it changes.
    const bool again = std::any_of(touches_elsewhere.begin(),
                                   touches_elsewhere.begin() + static_cast<std::ptrdiff_t>(at),
                                   [&](const auto& one) { return one.address == address; });
    return stored || again ? Elsewhere::Enough : Elsewhere::More;
}

bool is_window_loaded_beside(std::uint64_t address, const ucontext_t& context) {
    const WindowMemory* const memory = window_at(address);
    if (memory == nullptr || !can_decode()) return false;
    const auto begin = reinterpret_cast<std::uint64_t>(memory->base);
    return has_loaded_beyond(context, address, begin, memory->bytes) ||
           has_left_out(context, address, begin, memory->bytes);
}

void forget_windows() {
    is_between_calls.store(false, std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i)
        windows[i].remembered = false;
    // Of a program with several threads nothing more is looked at.
    if (!recorder.has_several_threads()) return;
    count = 0;
    watched_memory_changed();
}

}  // namespace mqinspect::tracer
