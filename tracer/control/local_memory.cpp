#include "tracer/control/local_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include <mpi.h>

#include "tracer/control/buffer_guards.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/control/window_memory.h"
#include "tracer/log/site.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

std::atomic<int> watched_memory{0};

namespace {

/// The same as kGuardedReturns of single steps.
constexpr std::uint8_t kSteppedReturns = 3;
/// The same for watchpoints in all threads, each of which takes a millisecond; and where the user
/// wants all.
constexpr std::uint8_t kInThreads = 8;
constexpr std::uint8_t kMostInThreads = 64;

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && std::strcmp(value, "0") != 0 && std::strcmp(value, "no") != 0;
}

/// Other threads' calls may change what is the first thread's.
bool is_alone(const Thread& thread) {
    if (!recorder.has_several_threads()) return true;
    if (thread.id == 0) forget_memory();
    return false;
}

/// One-sided operations have buffers, too, which must not take all watchpoints: the first window,
/// which is behind them, comes so far to the front that it has its own.
void move_up(GuardedRange* window, std::size_t buffers) {
    const std::size_t before_it = kMostWatched - (window->told_apart ? 2 : 1);
    if (buffers > before_it) std::rotate(window - (buffers - before_it), window, window + 1);
}

bool wants_guards(Site& site) {
    if (!may_be_guarded(site)) [[likely]]
        return false;
    if (site.guarded < UINT8_MAX) ++site.guarded;
    return true;
}

}  // namespace

bool may_be_guarded_in_threads(const Site& site) {
    const bool all = recorder.options().guards == Guards::All;
    return may_be_guarded(site) && site.guarded < (all ? kMostInThreads : kInThreads);
}

[[gnu::hot]] bool is_first_return_guarded(const Site& site) {
    switch (recorder.options().guards) {
        case Guards::None:
            return false;
        case Guards::Few:
            return site.guarded < kSteppedReturns || !guards_are_steps();
        case Guards::All:
            return true;
    }
    return false;
}

void watched_memory_changed() {
    const int count = known_buffers() + known_windows();
    watched_memory.store(count, std::memory_order_relaxed);
    if (count == 0) drop_guards();
}

void look_at_memory(Thread& thread) {
    if (shared_buffers.load(std::memory_order_relaxed) != 0) [[unlikely]]
        note_touches(thread);
    if (thread.id == 0) lower_guards();
    if (!is_alone(thread)) return;
    look_at_buffers(thread);
    look_at_windows(thread);
}

void remember_memory(Thread& thread, Site& site) {
    const bool alone = is_alone(thread);
    if (alone) remember_buffers();
    const bool in_threads = may_be_guarded_in_threads(site);
    const bool wanted = wants_guards(site);
    if (alone && wanted) remember_windows();
    const bool shares_windows = alone && known_windows() != 0 && has_threads();
    if (in_threads && (shares_windows || shared_buffers.load(std::memory_order_relaxed) != 0)) {
        // Threads that have inherited the first one's watchpoints have room for no others.
        if (alone) drop_guards();
        guard_threads();
    }
    if (!alone) return;
    if (!wanted) [[likely]] {
        unwatch_windows();
        return drop_guards();
    }
    std::array<GuardedRange, kMostGuarded> ranges;
    const std::size_t buffers = buffers_to_guard(ranges.data());
    const std::size_t windows = windows_to_guard(ranges.data() + buffers);
    if (windows != 0) move_up(ranges.data() + buffers, buffers);
    raise_guards(ranges.data(), buffers + windows, site.guarded <= kSteppedReturns);
}

void memory_touched(Thread& thread, const Touch& touch, std::int64_t stack) {
    if (thread.id != 0) return;
    const bool of_buffer = buffer_touched(thread, touch.address, stack);
    const bool of_window = window_touched(thread, touch, stack);
    if (of_buffer && !of_window) leave_alone(touch.address);
}

void memory_touched_by(std::uint64_t mark, const Touch& touch, std::int64_t stack) {
    if (is_of_buffer(mark)) return thread_touched(mark, stack);
    const bool inherited = !is_of_window(mark);
    const Elsewhere caught =
        window_touched_elsewhere(touch.address, stack, inherited ? has_stored : has_thread_stored);
    if (caught == Elsewhere::More) return;
    if (!inherited) return unwatch_in_threads(mark);
    if (caught == Elsewhere::Nothing) touched_elsewhere(touch.address, stack);
    leave_alone_meanwhile(touch.address);
}

void guard_meanwhile(Site& site) {
    if (shared_buffers.load(std::memory_order_relaxed) == 0) return;
    guard_threads();
    if (site.guarded < UINT8_MAX) ++site.guarded;
}

void forget_memory() {
    lower_guards();
    unwatch_windows();
    forget_buffers();
    forget_windows();
}

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

}  // namespace mqinspect::tracer
