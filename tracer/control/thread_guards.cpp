#include "tracer/control/thread_guards.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tracer/control/buffer_guards.h"
#include "tracer/control/instruction.h"
#include "tracer/control/local_memory.h"
#include "tracer/control/pending_buffers.h"
#include "tracer/control/watchpoint.h"
#include "tracer/control/window_memory.h"
#include "tracer/kept_errno.h"
#include "tracer/pending.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

std::atomic<int> shared_buffers{0};

namespace {

constexpr std::size_t kMostBuffers = 8;
constexpr std::size_t kMostThreads = 16;
/// For how many calls of the process a buffer is watched.
constexpr int kCalls = 64;
/// Loads beside a buffer that are looked at.
constexpr int kMostBeside = 16;
constexpr std::int64_t kUntouched = -2;

/// What a signal handler needs of a buffer. Taken in turn, so that a handler that comes late finds
/// what was there.
struct Mark {
    std::atomic<std::uint64_t> begin{0};
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<int> beside{0};
    std::atomic<std::int64_t> stack{kUntouched};
};
constexpr std::size_t kMarks = 256;
std::array<Mark, kMarks> marks;

struct Buffer {
    SharedBuffer shared;
    std::uint64_t mark = 0;
    int calls = 0;
    bool noted = false;
};

struct Watched {
    pid_t thread = 0;
    std::array<Watchpoint, kMostWatched> watchpoints;
};

SpinLock lock;  // of all that follows
std::array<Buffer, kMostBuffers> buffers;
std::size_t count = 0;
std::uint64_t next_mark = 1;
std::array<Watched, kMostThreads> watched;
std::size_t watched_count = 0;
bool are_windows_watched = false;

void note_touch(Thread& thread, Buffer& buffer) {
    const std::int64_t stack = marks[buffer.mark].stack.load(std::memory_order_acquire);
    if (buffer.noted || stack == kUntouched) return;
    buffer.noted = true;
    const SharedBuffer& of = buffer.shared;
    note_overwritten(thread, {of.request, of.begin, of.bytes, stack, of.argument});
}

template <class Predicate>
void unwatch_those(Predicate is_one) {
    for (std::size_t i = 0; i < watched_count; ++i) {
        for (Watchpoint& watchpoint : watched[i].watchpoints)
            if (watchpoint.is_open() && is_one(watchpoint.mark)) watchpoint.close();
    }
}

void unwatch(std::uint64_t mark) {
    unwatch_those([mark](std::uint64_t one) { return one == mark; });
}

template <class Predicate>
void take_out(Thread& thread, Predicate is_over) {
    const KeptErrno kept;
    const Locked locked(lock);
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (is_over(buffers[i])) {
            unwatch(buffers[i].mark);
            note_touch(thread, buffers[i]);
        } else {
            buffers[left++] = buffers[i];
        }
    }
    count = left;
    shared_buffers.store(static_cast<int>(count), std::memory_order_relaxed);
}

/// Of the process, as far as there is room for them.
std::size_t all_threads(std::array<pid_t, kMostThreads>& threads) {
    const int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 0;
    std::size_t found = 0;
    alignas(dirent64) char entries[4096];
    long bytes = 0;
    while ((bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
        for (long at = 0; at < bytes && found < threads.size();) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
            const auto thread = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
            if (thread > 0) threads[found++] = thread;
            at += entry->d_reclen;
        }
    }
    close(folder);
    return found;
}

/// Threads of libraries may write to a buffer, where MPI does not do so in calls only: then only
/// those that have called MPI are the program's for certain.
bool is_programs(pid_t thread) {
    if (writes_in_calls_only()) return true;
    for (std::uint64_t at = mqi_pending.threads; at != 0;) {
        // NOLINTNEXTLINE(performance-no-int-to-ptr): for debuggers addresses are numbers
        const auto* known = reinterpret_cast<const pending::Thread*>(at);
        if (known->id == static_cast<std::uint64_t>(thread)) return true;
        at = known->next;
    }
    return false;
}

/// The first thread has guards of its own while it is the only one that calls MPI.
std::size_t threads_to_watch(std::array<pid_t, kMostThreads>& threads) {
    const std::size_t found = all_threads(threads);
    const pid_t alone = recorder.has_several_threads() ? 0 : gettid();
    auto* const end = threads.begin() + found;
    return static_cast<std::size_t>(
        std::remove_if(threads.begin(),
                       end,
                       [alone](pid_t one) { return one == alone || !is_programs(one); }) -
        threads.begin());
}

Watched* watched_of(pid_t thread) {
    auto* const end = watched.begin() + watched_count;
    auto* const found = std::find_if(
        watched.begin(), end, [thread](const Watched& w) { return w.thread == thread; });
    if (found != end) return found;
    if (watched_count == watched.size()) return nullptr;
    ++watched_count;
    *found = {};
    found->thread = thread;
    return found;
}

void watch(Watched& one, const Choice& choice) {
    const auto* const end = choice.watchpoints + choice.used;
    for (Watchpoint& present : one.watchpoints) {
        const bool kept = std::any_of(choice.watchpoints, end, [&](const Watchpoint& wanted) {
            return present.same(wanted);
        });
        if (!kept) present.close();
    }
    for (const auto* wanted = choice.watchpoints; wanted != end; ++wanted) {
        Watchpoint* free = nullptr;
        bool present = false;
        for (Watchpoint& place : one.watchpoints) {
            if (!place.is_open()) free = &place;
            present = present || (place.is_open() && place.same(*wanted));
        }
        if (present || free == nullptr) continue;
        *free = *wanted;
        if (free->open(one.thread)) {
            free->enable();
        } else {
            *free = {};
        }
    }
}

void forget_ended_threads(const pid_t* begin, const pid_t* end) {
    std::size_t left = 0;
    for (std::size_t i = 0; i < watched_count; ++i) {
        if (std::find(begin, end, watched[i].thread) != end) {
            watched[left++] = watched[i];
        } else {
            for (Watchpoint& watchpoint : watched[i].watchpoints)
                watchpoint.close();
        }
    }
    watched_count = left;
}

}  // namespace

void share_buffer(const SharedBuffer& buffer) {
    const Locked locked(lock);
    if (count == kMostBuffers) {
        unwatch(buffers[0].mark);
        std::copy(buffers.begin() + 1, buffers.end(), buffers.begin());
        --count;
    }
    const std::uint64_t at = next_mark++ % kMarks;
    Mark& mark = marks[at];
    mark.begin.store(buffer.begin, std::memory_order_relaxed);
    mark.bytes.store(buffer.bytes, std::memory_order_relaxed);
    mark.beside.store(0, std::memory_order_relaxed);
    mark.stack.store(kUntouched, std::memory_order_release);
    buffers[count++] = {buffer, at};
    shared_buffers.store(static_cast<int>(count), std::memory_order_relaxed);
}

void unshare_request(Thread& thread, std::int64_t request) {
    take_out(thread, [request](const Buffer& buffer) {
        return buffer.shared.owner == 0 && buffer.shared.request == request;
    });
}

void unshare_buffer(Thread& thread, std::int64_t request) {
    take_out(thread, [request](const Buffer& buffer) {
        return buffer.shared.request == request && !buffer.shared.argument;
    });
}

void unshare_owner(Thread& thread, std::uint64_t owner) {
    take_out(thread, [owner](const Buffer& buffer) { return buffer.shared.owner == owner; });
}

bool is_buffer_shared(std::uint64_t begin, std::uint64_t bytes) {
    if (shared_buffers.load(std::memory_order_relaxed) == 0) return false;
    const Locked locked(lock);
    return std::any_of(buffers.begin(), buffers.begin() + count, [&](const Buffer& buffer) {
        return buffer.shared.begin < begin + bytes &&
               begin < buffer.shared.begin + buffer.shared.bytes;
    });
}

void note_touches(Thread& thread) {
    take_out(thread, [&thread](Buffer& buffer) {
        note_touch(thread, buffer);
        return buffer.noted || ++buffer.calls > kCalls;
    });
}

void guard_threads() {
    const KeptErrno kept;
    if (!may_watch()) return;
    const Locked locked(lock);
    std::array<GuardedRange, kMostGuarded> ranges;
    for (std::size_t i = 0; i < count; ++i) {
        const Buffer& buffer = buffers[count - 1 - i];
        ranges[i] = {.begin = buffer.shared.begin,
                     .bytes = buffer.shared.bytes,
                     .loads = buffer.shared.loads,
                     .mark = buffer.mark};
    }
    std::size_t range_count = count;
    // Another thread's call may touch them, too.
    if (!recorder.has_several_threads()) range_count += windows_to_guard(ranges.data() + count);
    for (std::size_t i = count; i < range_count; ++i)
        ranges[i].mark = kWindowMark | (i - count);
    are_windows_watched = range_count != count;
    const Choice choice = choose(ranges.data(), range_count);
    std::array<pid_t, kMostThreads> threads{};
    const std::size_t found = threads_to_watch(threads);
    forget_ended_threads(threads.data(), threads.data() + found);
    for (std::size_t i = 0; i < found; ++i)
        if (Watched* one = watched_of(threads[i])) watch(*one, choice);
}

void unwatch_windows() {
    if (!are_windows_watched) return;
    const KeptErrno kept;
    const Locked locked(lock);
    unwatch_those(is_of_window);
    are_windows_watched = false;
}

bool is_touch(std::uint64_t mark, std::uint64_t address, const ucontext_t& context) {
    Mark& of = marks[mark % kMarks];
    if (!can_decode()) return true;
    const std::uint64_t begin = of.begin.load(std::memory_order_relaxed);
    const std::uint64_t bytes = of.bytes.load(std::memory_order_relaxed);
    if (!has_loaded_beyond(context, address, begin, bytes) &&
        !has_left_out(context, address, begin, bytes))
        return true;
    // A loop of such loads would be slow.
    if (of.beside.fetch_add(1) >= kMostBeside && lock.try_lock()) {
        unwatch(mark);
        lock.unlock();
    }
    return false;
}

void thread_touched(std::uint64_t mark, std::int64_t stack) {
    std::int64_t untouched = kUntouched;
    marks[mark % kMarks].stack.compare_exchange_strong(untouched, stack, std::memory_order_acq_rel);
    if (!lock.try_lock()) return;
    unwatch(mark);
    lock.unlock();
}

bool has_thread_stored(std::uint64_t address) {
    if (!lock.try_lock()) return false;
    bool stored = false;
    auto* const end = watched.begin() + watched_count;
    auto* const own = std::find_if(
        watched.begin(), end, [](const Watched& one) { return one.thread == gettid(); });
    if (own != end) {
        for (Watchpoint& watchpoint : own->watchpoints)
            if (watchpoint.is_at(address) && watchpoint.counts) stored = watchpoint.has_counted();
    }
    lock.unlock();
    return stored;
}

void unwatch_in_threads(std::uint64_t mark) {
    if (!lock.try_lock()) return;
    unwatch(mark);
    lock.unlock();
}

}  // namespace mqinspect::tracer
