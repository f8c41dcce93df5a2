#include "tracer/control/local_memory.h"

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

/// Returns of a call site behind which guards are raised.
constexpr std::uint8_t kGuardedReturns = 8;
constexpr std::uint8_t kSteppedReturns = 3;

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

bool wants_guards(Site& site) {
    switch (recorder.options().guards) {
        case Guards::None:
            return false;
        case Guards::Few:
            if (site.guarded >= (guards_are_steps() ? kSteppedReturns : kGuardedReturns)) [[likely]]
                return false;
            ++site.guarded;
            return true;
        case Guards::All:
            if (site.guarded <= kSteppedReturns) ++site.guarded;
            return true;
    }
    return false;
}

}  // namespace

void watched_memory_changed() {
    const int count = known_buffers() + known_windows();
    watched_memory.store(count, std::memory_order_relaxed);
    if (count == 0) drop_guards();
}

void look_at_memory(Thread& thread) {
    if (thread.id == 0) lower_guards();
    if (!is_alone(thread)) return;
    look_at_buffers(thread);
    look_at_windows(thread);
}

void remember_memory(Thread& thread, Site& site) {
    if (!is_alone(thread)) return;
    remember_buffers();
    if (!wants_guards(site)) [[likely]]
        return drop_guards();
    remember_windows();
    std::array<GuardedRange, kMostGuarded> ranges;
    std::size_t count = buffers_to_guard(ranges.data());
    count += windows_to_guard(ranges.data() + count);
    raise_guards(ranges.data(), count, site.guarded <= kSteppedReturns);
}

void memory_touched(Thread& thread, const Touch& touch, std::int64_t stack) {
    if (thread.id != 0) return;
    const bool of_buffer = buffer_touched(thread, touch.address, stack);
    const bool of_window = window_touched(thread, touch, stack);
    if (of_buffer && !of_window) leave_alone(touch.address);
}

void forget_memory() {
    lower_guards();
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
