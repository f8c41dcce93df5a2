#include "tracer/control/buffer_guards.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tracer/control/access_steps.h"
#include "tracer/control/instruction.h"
#include "tracer/control/signals.h"
#include "tracer/kept_errno.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kWord = 8;
constexpr int kNone = -1;
/// Programs count on the lowest ones, and close them all.
constexpr int kFirstDescriptor = 700;

/// Loads beside a range that are looked at for one watchpoint.
constexpr int kMostBeside = 16;

/// One of the processor's four debug registers.
struct Watchpoint {
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

    bool same(const Watchpoint& other) const {
        return address == other.address && length == other.length && kind == other.kind &&
               counts == other.counts && begin == other.begin && bytes == other.bytes;
    }
    bool is_at(std::uint64_t place) const { return file != kNone && address == place; }
};

struct Pages {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

std::array<Watchpoint, kMostWatched> watchpoints;
bool any_watchpoint = false;  ///< may be open
std::array<Pages, 8> protected_pages;
std::size_t protected_count = 0;
bool refused = false;

/// The program may have closed it, and have another file there.
bool is_ours(const Watchpoint& watchpoint) {
    std::uint64_t id = 0;
    return watchpoint.file != kNone && ioctl(watchpoint.file, PERF_EVENT_IOC_ID, &id) == 0 &&
           id == watchpoint.id;
}

void close_watchpoint(Watchpoint& watchpoint) {
    if (is_ours(watchpoint)) close(watchpoint.file);
    watchpoint = {};
}

void refuse(const char* who, const char* why) {
    if (!refused && recorder.options().guards == Guards::All && !can_step()) {
        say("rank %lld: no watchpoints for buffers: %s: %s; nor single steps: there is no libZydis",
            static_cast<long long>(recorder.world_rank()),
            who,
            why);
    }
    refused = true;
}

void open_watchpoint(Watchpoint& watchpoint) {
    perf_event_attr attributes{};
    attributes.type = PERF_TYPE_BREAKPOINT;
    attributes.size = sizeof attributes;
    attributes.bp_type = watchpoint.kind;
    attributes.bp_addr = watchpoint.address;
    attributes.bp_len = watchpoint.length;
    attributes.sample_period = watchpoint.counts ? 0 : 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.remove_on_exec = 1;
    attributes.sigtrap = watchpoint.counts ? 0 : 1;
    attributes.disabled = 1;
    const auto file = static_cast<int>(
        syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (file == kNone) return refuse("perf_event_open", strerrordesc_np(errno));
    watchpoint.file = fcntl(file, F_DUPFD_CLOEXEC, kFirstDescriptor);
    if (watchpoint.file == kNone) {
        watchpoint.file = file;
    } else {
        close(file);
    }
    if (ioctl(watchpoint.file, PERF_EVENT_IOC_ID, &watchpoint.id) != 0) watchpoint.id = 0;
}

/// The word of the range at `address`, as wide as its alignment allows.
Watchpoint word_at(const GuardedRange& range, std::uint64_t address) {
    Watchpoint word;
    word.address = address;
    word.begin = range.begin;
    word.bytes = range.bytes;
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

struct Choice {
    std::array<Watchpoint, kMostWatched> watchpoints;
    std::size_t used = 0;
    bool complete = true;  ///< there is nothing beyond them to be guarded
};

/// The first word of each range, then the second of each, as far as there are watchpoints.
Choice choose(const GuardedRange* ranges, std::size_t count) {
    Choice choice;
    auto& chosen = choice.watchpoints;
    std::size_t& used = choice.used;
    std::array<std::uint64_t, kMostGuarded> next{};
    count = std::min(count, next.size());
    for (std::size_t i = 0; i < count; ++i)
        next[i] = ranges[i].begin;
    for (bool any = true; any && used < chosen.size();) {
        any = false;
        for (std::size_t i = 0; i < count && used < chosen.size(); ++i) {
            if (next[i] >= ranges[i].begin + ranges[i].bytes) continue;
            if (ranges[i].told_apart && used + 2 > chosen.size()) continue;
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

/// Some virtual machines take watchpoints that never catch anything.
void try_watchpoints() {
    static volatile std::uint64_t place = 0;
    Watchpoint trial;
    trial.address = reinterpret_cast<std::uint64_t>(&place);
    trial.length = kWord;
    trial.kind = HW_BREAKPOINT_W;
    trial.counts = true;
    open_watchpoint(trial);
    if (trial.file == kNone) return;
    ioctl(trial.file, PERF_EVENT_IOC_ENABLE, 0);
    place = 1;
    std::uint64_t caught = 0;
    const bool known = read(trial.file, &caught, sizeof caught) == sizeof caught;
    close(trial.file);
    if (known && caught == 0) refuse("this machine", "nothing is caught by them");
}

void set_watchpoints(const Choice& chosen) {
    any_watchpoint = chosen.used != 0;
    for (std::size_t i = 0; i < watchpoints.size(); ++i) {
        Watchpoint& watchpoint = watchpoints[i];
        if (i < chosen.used && watchpoint.same(chosen.watchpoints[i])) continue;
        close_watchpoint(watchpoint);
        if (i >= chosen.used) continue;
        watchpoint = chosen.watchpoints[i];
        open_watchpoint(watchpoint);
    }
    // Without its counter nobody could tell its loads from its stores.
    for (const Watchpoint& watchpoint : watchpoints)
        if (watchpoint.counts && watchpoint.file == kNone) catch_stores_only(watchpoint.address);
    resume_watchpoints();
}

void set_protection(const Pages& pages, int protection) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): pages
    mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, protection);
}

}  // namespace

void raise_guards(const GuardedRange* ranges, std::size_t count, bool may_step) {
    const KeptErrno kept;
    for (std::size_t i = 0; i < count && protected_count < protected_pages.size(); ++i) {
        const Pages pages{(ranges[i].begin + kPage - 1) / kPage * kPage,
                          (ranges[i].begin + ranges[i].bytes) / kPage * kPage};
        if (!ranges[i].pages || pages.begin >= pages.end) continue;
        set_protection(pages, PROT_NONE);
        protected_pages[protected_count++] = pages;
    }
    if (count == 0 && !any_watchpoint) return;
    static bool tried = false;
    if (!std::exchange(tried, true)) {
        try_watchpoints();
        can_decode();
    }
    // What the program has done about the signal may end it.
    if (!catches_traps()) count = 0;
    const Choice choice = refused ? Choice{} : choose(ranges, count);
    const bool by_steps =
        (refused || (may_step && !choice.complete)) && are_steps_due(ranges, count);
    set_watchpoints(by_steps ? Choice{} : choice);
    if (by_steps) start_steps(ranges, count);
}

void lower_guards() {
    end_steps();
    if (!any_watchpoint && protected_count == 0) return;
    const KeptErrno kept;
    pause_watchpoints();
    for (std::size_t i = 0; i < protected_count; ++i)
        set_protection(protected_pages[i], PROT_READ | PROT_WRITE);
    protected_count = 0;
}

bool guards_are_steps() {
    return refused;
}

void drop_guards() {
    if (!any_watchpoint) return;
    const KeptErrno kept;
    for (Watchpoint& watchpoint : watchpoints)
        close_watchpoint(watchpoint);
    any_watchpoint = false;
}

bool lift_guard(std::uint64_t address) {
    for (std::size_t i = 0; i < protected_count; ++i) {
        const Pages pages = protected_pages[i];
        if (address < pages.begin || address >= pages.end) continue;
        set_protection(pages, PROT_READ | PROT_WRITE);
        protected_pages[i] = protected_pages[--protected_count];
        return true;
    }
    return false;
}

bool is_watched(std::uint64_t address) {
    return std::any_of(
        watchpoints.begin(), watchpoints.end(), [address](const Watchpoint& watchpoint) {
            return watchpoint.is_at(address);
        });
}

bool was_loaded_beside(std::uint64_t address, const ucontext_t& context) {
    for (Watchpoint& watchpoint : watchpoints) {
        if (!watchpoint.is_at(address) || watchpoint.kind != HW_BREAKPOINT_RW) continue;
        if (!can_decode() ||
            !has_loaded_beyond(context, address, watchpoint.begin, watchpoint.bytes))
            return false;
        // A loop of such loads would be slow.
        if (++watchpoint.beside == kMostBeside) catch_stores_only(address);
        return true;
    }
    return false;
}

void pause_watchpoints() {
    for (const Watchpoint& watchpoint : watchpoints)
        if (watchpoint.file != kNone) ioctl(watchpoint.file, PERF_EVENT_IOC_DISABLE, 0);
}

void resume_watchpoints() {
    for (const Watchpoint& watchpoint : watchpoints)
        if (watchpoint.file != kNone) ioctl(watchpoint.file, PERF_EVENT_IOC_ENABLE, 0);
}

void leave_alone(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints)
        if (watchpoint.is_at(address)) close_watchpoint(watchpoint);
}

bool has_stored(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints) {
        if (!watchpoint.is_at(address) || !watchpoint.counts) continue;
        std::uint64_t count = 0;
        if (read(watchpoint.file, &count, sizeof count) != sizeof count) return true;
        return std::exchange(watchpoint.count, count) != count;
    }
    return true;
}

void catch_stores_only(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints) {
        if (!watchpoint.is_at(address)) continue;
        Watchpoint stores = watchpoint;
        close_watchpoint(watchpoint);
        if (stores.counts) continue;
        stores.kind = HW_BREAKPOINT_W;
        stores.file = kNone;
        open_watchpoint(stores);
        watchpoint = stores;
    }
}

}  // namespace mqinspect::tracer
