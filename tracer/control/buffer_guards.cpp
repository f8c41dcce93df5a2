#include "tracer/control/buffer_guards.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
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
/// Loads beside a range that are looked at for one watchpoint.
constexpr int kMostBeside = 16;

struct Pages {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

std::array<Watchpoint, kMostWatched> watchpoints;
bool any_watchpoint = false;  ///< may be open
std::array<Pages, 8> protected_pages;
std::size_t protected_count = 0;
bool refused = false;
Choice behind_steps;  ///< once no more steps are taken

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
    if (!watchpoint.open(0)) refuse("perf_event_open", strerrordesc_np(errno));
}

/// Some virtual machines take watchpoints that never catch anything.
void try_watchpoints() {
    static volatile std::uint64_t place = 0;
    Watchpoint trial;
    trial.address = reinterpret_cast<std::uint64_t>(&place);
    trial.length = sizeof place;
    trial.kind = HW_BREAKPOINT_W;
    trial.counts = true;
    open_watchpoint(trial);
    if (!trial.is_open()) return;
    trial.enable();
    place = 1;
    std::uint64_t caught = 0;
    const bool known = read(trial.file, &caught, sizeof caught) == sizeof caught;
    trial.close();
    if (known && caught == 0) refuse("this machine", "nothing is caught by them");
}

void try_once() {
    static std::atomic<bool> tried = false;
    if (tried.exchange(true)) return;
    try_watchpoints();
    can_decode();
}

void set_watchpoints(const Choice& chosen) {
    any_watchpoint = chosen.used != 0;
    for (std::size_t i = 0; i < watchpoints.size(); ++i) {
        Watchpoint& watchpoint = watchpoints[i];
        if (i < chosen.used && watchpoint.same(chosen.watchpoints[i])) continue;
        watchpoint.close();
        if (i >= chosen.used) continue;
        watchpoint = chosen.watchpoints[i];
        open_watchpoint(watchpoint);
    }
    // Without its counter nobody could tell its loads from its stores.
    for (const Watchpoint& watchpoint : watchpoints)
        if (watchpoint.counts && !watchpoint.is_open()) catch_stores_only(watchpoint.address);
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
    try_once();
    // What the program has done about the signal may end it.
    if (!catches_traps()) count = 0;
    const Choice choice = refused ? Choice{} : choose(ranges, count);
    const bool by_steps =
        (refused || (may_step && !choice.complete)) && are_steps_due(ranges, count);
    set_watchpoints(by_steps ? Choice{} : choice);
    if (!by_steps) return;
    behind_steps = choice;
    start_steps(ranges, count);
}

void watch_instead_of_steps() {
    set_watchpoints(behind_steps);
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

bool may_watch() {
    try_once();
    return !refused && catches_traps();
}

bool guards_are_steps() {
    return refused;
}

void drop_guards() {
    if (!any_watchpoint) return;
    const KeptErrno kept;
    for (Watchpoint& watchpoint : watchpoints)
        watchpoint.close();
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
        if (!watchpoint.is_at(address)) continue;
        const bool left_out =
            can_decode() && has_left_out(context, address, watchpoint.begin, watchpoint.bytes);
        if (!left_out && watchpoint.kind != HW_BREAKPOINT_RW) continue;
        const bool beyond = !left_out && can_decode() &&
                            has_loaded_beyond(context, address, watchpoint.begin, watchpoint.bytes);
        if (!left_out && !beyond) return false;
        // A loop of such instructions would be slow.
        if (++watchpoint.beside == kMostBeside)
            left_out ? leave_alone(address) : catch_stores_only(address);
        return true;
    }
    return false;
}

void pause_watchpoints() {
    for (const Watchpoint& watchpoint : watchpoints)
        watchpoint.disable();
}

void resume_watchpoints() {
    for (const Watchpoint& watchpoint : watchpoints)
        watchpoint.enable();
}

void leave_alone(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints)
        if (watchpoint.is_at(address)) watchpoint.close();
}

void leave_alone_meanwhile(std::uint64_t address) {
    for (const Watchpoint& watchpoint : watchpoints)
        if (watchpoint.is_at(address)) watchpoint.disable();
}

bool has_stored(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints) {
        if (watchpoint.is_at(address) && watchpoint.counts) return watchpoint.has_counted();
    }
    return true;
}

void catch_stores_only(std::uint64_t address) {
    for (Watchpoint& watchpoint : watchpoints) {
        if (!watchpoint.is_at(address)) continue;
        Watchpoint stores = watchpoint;
        watchpoint.close();
        if (stores.counts) continue;
        stores.kind = HW_BREAKPOINT_W;
        stores.file = Watchpoint::kNone;
        open_watchpoint(stores);
        watchpoint = stores;
    }
}

}  // namespace mqinspect::tracer
