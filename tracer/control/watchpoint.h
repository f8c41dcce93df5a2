/// Watchpoints of the processor: of the calling thread, or of another one of the process.
///
/// They are the kernel's (perf_event_open(2), PERF_TYPE_BREAKPOINT), and send a SIGTRAP to the
/// thread that has touched the memory, before its next instruction.
#pragma once

#include <linux/hw_breakpoint.h>
#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <cstdint>

namespace mqinspect::tracer {

struct GuardedRange {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    bool loads = false;       ///< are to be caught, too, not only stores
    bool pages = false;       ///< those that lie wholly in it may be protected
    bool compared = true;     ///< stores are also seen in what they change
    bool told_apart = false;  ///< has_stored() is wanted: takes two watchpoints, for one word
    /// Bytes from one element to the next; watchpoints are on the first byte of each: of two
    /// elements in a word it would not be known which. 0: no elements.
    std::uint64_t step = 0;
    std::uint64_t mark = 0;  ///< of its watchpoints
};

/// The processor's debug registers.
constexpr std::size_t kMostWatched = 4;
/// Ranges at a time.
constexpr std::size_t kMostGuarded = 12;

struct Watchpoint {
    static constexpr int kNone = -1;

    int file = kNone;
    std::uint64_t address = 0;
    std::uint64_t length = 0;
    std::uint32_t kind = 0;
    bool counts = false;      ///< and sends no signal
    std::uint64_t id = 0;     ///< the kernel's, of what the descriptor was opened for
    std::uint64_t count = 0;  ///< as has_stored() has seen it
    std::uint64_t begin = 0;  ///< of the range that it guards
    std::uint64_t bytes = 0;
    int beside = 0;  ///< was_loaded_beside(), so many times
    std::uint64_t mark = 0;

    bool same(const Watchpoint& other) const {
        return address == other.address && length == other.length && kind == other.kind &&
               counts == other.counts && begin == other.begin && bytes == other.bytes &&
               mark == other.mark;
    }
    bool is_open() const { return file != kNone; }
    bool is_at(std::uint64_t place) const { return is_open() && address == place; }

    /// Of the calling thread: 0. Not enabled yet. False: errno says why.
    bool open(pid_t thread);
    void close();
    void enable() const;
    void disable() const;
    /// One that counts has done so since it was asked last; also if that cannot be read.
    bool has_counted();
};

/// What of some ranges is watched.
struct Choice {
    Watchpoint watchpoints[kMostWatched];
    std::size_t used = 0;
    bool complete = true;  ///< there is nothing beyond them to be guarded
};

/// The first word of each range, then the second of each, as far as there are watchpoints.
Choice choose(const GuardedRange* ranges, std::size_t count);

/// True: a watchpoint of ours, which may be closed meanwhile; `mark` is its range's.
bool is_watchpoint_trap(int number, const siginfo_t& info, std::uint64_t& mark);

}  // namespace mqinspect::tracer
