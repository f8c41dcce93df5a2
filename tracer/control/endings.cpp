#include "tracer/control/endings.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "tracer/control/signals.h"
#include "tracer/event.h"
#include "tracer/export.h"
#include "tracer/stack/guarded.h"
#include "tracer/stack/images.h"
#include "tracer/stack/stacks.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

namespace {

/// In main, where it goes on after MPI_Init; 0: not known.
std::uint64_t place_in_main = 0;

/// The stack of an end of main: its `ret` alone. -1: not known.
std::int64_t end_of_main() {
    std::uint64_t end = place_in_main == 0 ? 0 : end_of_function(place_in_main);
    return end == 0 ? -1 : std::int64_t{stack_id(recorder.definitions(), &end, 1)};
}

// Where a signal handler of x86-64 goes on: mov $15, %rax; syscall (rt_sigreturn).
constexpr unsigned char kReturnFromSignal[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};

bool is_return_from_signal(const Frame& frame) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): code that will be executed
    const auto* code = reinterpret_cast<const void*>(frame.address);
    return std::memcmp(code, kReturnFromSignal, sizeof kReturnFromSignal) == 0;
}

/// Inside of a call, libraries that MPI uses (libfabric) take SIGINT and SIGTERM, and exit: that is
/// an end from outside, as it would be without them. Others (libinfinipath) take crashes anywhere.
bool is_ended_by_signal(const Thread& thread, std::uint64_t handler, std::uint64_t stack_pointer) {
    if (!thread.log.has_open_calls() && !may_be_in_their_handler()) return false;
    Frame frames[kMostFrames];
    const std::size_t count = unwind(handler, stack_pointer, frames, kMostFrames);
    Guarded guarded;
    return MQT_GUARDED(guarded) && std::any_of(frames, frames + count, is_return_from_signal);
}

/// Threads that libraries run for themselves may end the process: Open MPI's do when the launcher
/// is gone. That is an end from outside, too.
bool is_ended_by_library(std::uint64_t handler, std::uint64_t stack_pointer) {
    if (this_thread != nullptr || gettid() == getpid()) return false;
    DefinitionsFile& definitions = recorder.definitions();
    const std::uint64_t program = code_address(definitions, getauxval(AT_ENTRY)).image;
    Frame frames[kMostFrames];
    const std::size_t count = unwind(handler, stack_pointer, frames, kMostFrames);
    return std::none_of(frames, frames + count, [&](const Frame& frame) {
        return code_address(definitions, frame.address).image == program;
    });
}

/// `handler`: where exit goes on after this handler. Its own frames and those of what starts main
/// are the C library's, too, with nothing in between if main has returned.
std::int64_t stack_of_exit(std::uint64_t handler, std::uint64_t stack_pointer) {
    DefinitionsFile& definitions = recorder.definitions();
    const std::uint64_t library = code_address(definitions, handler).image;
    Frame frames[kMostFrames];
    const std::size_t count = unwind(handler, stack_pointer, frames, kMostFrames);
    std::size_t first = 0;
    while (first < count && code_address(definitions, frames[first].address).image == library)
        ++first;
    if (first + 1 >= count) return end_of_main();
    std::uint64_t addresses[kMostFrames];
    const std::size_t kept = std::min(count - first, recorder.options().stack_depth);
    for (std::size_t i = 0; i < kept; ++i)
        addresses[i] = frames[first + i].address;
    return stack_id(definitions, addresses, kept);
}

/// The calling thread's, if its end is to be recorded: the process has brought it about itself, at
/// `handler`.
Thread* ending_thread(std::uint64_t handler, std::uint64_t stack_pointer) {
    if (!recorder.recording() || !recorder.is_own_process() || locks_held != 0) return nullptr;
    if (is_ended_by_library(handler, stack_pointer)) return nullptr;
    Thread* thread = recorder.thread();
    if (thread == nullptr || thread->log.busy()) return nullptr;
    return is_ended_by_signal(*thread, handler, stack_pointer) ? nullptr : thread;
}

void record_exit(Thread& thread, int code, std::int64_t stack) {
    EventPayload payload;
    payload.number(code).number(stack);
    thread.log.event(model::EventKind::Exit, payload.data(), payload.size());
}

void handle_exit(int code, void* /*unused*/) {
    if (Thread* const thread = ending_thread(MQT_CALLER))
        record_exit(*thread, code, stack_of_exit(MQT_CALLER));
}

void record_end_at_once(int code, std::uint64_t return_address, std::uint64_t stack_pointer) {
    if (Thread* const thread = ending_thread(return_address, stack_pointer))
        record_exit(*thread, code, stack_of_call(return_address, stack_pointer));
}

__attribute__((noreturn)) void end_at_once(int code,
                                           std::uint64_t return_address,
                                           std::uint64_t stack_pointer) {
    record_end_at_once(code, return_address, stack_pointer);
    for (;;)
        syscall(SYS_exit_group, code);
}

/// After everything that the program has registered for its end, which may call MPI.
__attribute__((destructor)) void finish() {
    if (recorder.is_own_process()) recorder.finish();
}

}  // namespace

void watch_endings(const Options& options) {
    if (options.signals) watch_signals();
    on_exit(handle_exit, nullptr);
}

void note_main(const Site& site) {
    DefinitionsFile& definitions = recorder.definitions();
    if (site.frame_count < 2) return;
    // The outermost frame is the program's _start, those within it the C library's.
    std::size_t outer = site.frame_count - 1;
    const std::uint64_t library = code_address(definitions, site.frames[outer - 1].address).image;
    while (outer > 0 && code_address(definitions, site.frames[outer - 1].address).image == library)
        --outer;
    place_in_main = outer == 0 ? site.return_address : site.frames[outer - 1].address;
}

void record_abort(std::int64_t error_code) {
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.busy()) return;
    EventPayload payload;
    payload.number(error_code);
    thread->log.event(model::EventKind::Abort, payload.data(), payload.size());
}

}  // namespace mqinspect::tracer

/// Ends without the handlers of atexit, which would have told.
MQT_EXPORT __attribute__((noreturn)) void _exit(int code) {  // NOLINT: the C library's name
    mqinspect::tracer::end_at_once(code, MQT_CALLER);
}

MQT_EXPORT __attribute__((noreturn)) void _Exit(int code) {  // NOLINT: the C library's name
    mqinspect::tracer::end_at_once(code, MQT_CALLER);
}

/// Its own handlers run, and those of atexit do not.
MQT_EXPORT __attribute__((noreturn)) void quick_exit(int code) noexcept {  // NOLINT: as above
    mqinspect::tracer::record_end_at_once(code, MQT_CALLER);
    using Function = void (*)(int);
    if (const auto library = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "quick_exit")))
        library(code);
    for (;;)
        syscall(SYS_exit_group, code);
}
