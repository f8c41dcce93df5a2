#include "tracer/control/watchpoint.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace mqinspect::tracer {

namespace {

constexpr std::uint64_t kWord = 8;
/// Programs count on the lowest ones, and close them all.
constexpr int kFirstDescriptor = 700;
constexpr int kWatchpointTrap = 6;  // TRAP_PERF of newer kernels' headers
/// siginfo_t::si_perf_data of the same headers.
constexpr std::size_t kDataOffset = 24;
/// Data of our watchpoints: this, and the mark in the lower half.
constexpr std::uint64_t kOurs = 0x6d71'6967ULL << 32U;

/// The word of the range at `address`, as wide as its alignment allows.
Watchpoint word_at(const GuardedRange& range, std::uint64_t address) {
    Watchpoint word;
    word.address = address;
    word.begin = range.begin;
    word.bytes = range.bytes;
    word.mark = range.mark;
    word.length = range.step != 0 ? 1 : kWord;
    while (address % word.length != 0 || address + word.length > range.begin + range.bytes)
        word.length /= 2;
    word.kind = range.loads ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
    return word;
}

/// Of the stores among what another one catches.
Watchpoint counter_beside(Watchpoint watchpoint) {
    watchpoint.kind = HW_BREAKPOINT_W;
    watchpoint.counts = true;
    return watchpoint;
}

std::uint64_t range_step(const GuardedRange& range, const Watchpoint& word) {
    return range.step != 0 ? range.step : word.length;
}

}  // namespace

bool Watchpoint::open(pid_t thread) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.size = sizeof attributes;
    attributes.bp_type = kind;
    attributes.bp_addr = address;
    attributes.bp_len = length;
    attributes.sample_period = counts ? 0 : 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.remove_on_exec = 1;
    attributes.sigtrap = counts ? 0 : 1;
    attributes.sig_data = kOurs | mark;
    attributes.disabled = 1;
    // By threads that start while it is there.
    attributes.inherit = 1;
    attributes.inherit_thread = 1;
    const auto opened = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (opened == kNone) return false;
    file = fcntl(opened, F_DUPFD_CLOEXEC, kFirstDescriptor);
    if (file == kNone) {
        file = opened;
    } else {
        ::close(opened);
    }
    if (ioctl(file, PERF_EVENT_IOC_ID, &id) != 0) id = 0;
    return true;
}

/// The program may have closed it, and have another file there.
void Watchpoint::close() {
    std::uint64_t present = 0;
    if (is_open() && ioctl(file, PERF_EVENT_IOC_ID, &present) == 0 && present == id) ::close(file);
    *this = {};
}

void Watchpoint::enable() const {
    if (is_open()) ioctl(file, PERF_EVENT_IOC_ENABLE, 0);
}

void Watchpoint::disable() const {
    if (is_open()) ioctl(file, PERF_EVENT_IOC_DISABLE, 0);
}

bool Watchpoint::has_counted() {
    std::uint64_t now = 0;
    if (read(file, &now, sizeof now) != sizeof now) return true;
    return std::exchange(count, now) != now;
}

Choice choose(const GuardedRange* ranges, std::size_t count) {
    Choice choice;
    auto& chosen = choice.watchpoints;
    std::size_t& used = choice.used;
    std::array<std::uint64_t, kMostGuarded> next{};
    count = std::min(count, next.size());
    for (std::size_t i = 0; i < count; ++i)
        next[i] = ranges[i].begin;
    for (bool any = true; any && used < kMostWatched;) {
        any = false;
        for (std::size_t i = 0; i < count && used < kMostWatched; ++i) {
            if (next[i] >= ranges[i].begin + ranges[i].bytes) continue;
            if (ranges[i].told_apart && used + 2 > kMostWatched) continue;
            const Watchpoint word = word_at(ranges[i], next[i]);
            chosen[used++] = word;
            if (ranges[i].told_apart) chosen[used++] = counter_beside(word);
            next[i] += range_step(ranges[i], word);
            any = true;
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        if (next[i] < ranges[i].begin + ranges[i].bytes) choice.complete = false;
    return choice;
}

bool is_watchpoint_trap(int number, const siginfo_t& info, std::uint64_t& mark) {
    if (number != SIGTRAP || info.si_code != kWatchpointTrap) return false;
    std::uint64_t data = 0;
    std::memcpy(&data, reinterpret_cast<const char*>(&info) + kDataOffset, sizeof data);
    mark = data & UINT32_MAX;
    return (data & ~std::uint64_t{UINT32_MAX}) == kOurs;
}

}  // namespace mqinspect::tracer
