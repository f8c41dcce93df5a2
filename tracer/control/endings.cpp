#include "tracer/control/endings.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

#include "tracer/control/signals.h"
#include "tracer/event.h"
#include "tracer/export.h"

namespace mqinspect::tracer {

namespace {

void record_exit(int code) {
    Thread* thread = recorder.recording() && recorder.is_own_process() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.busy()) return;
    EventPayload payload;
    payload.number(code);
    thread->log.event(model::EventKind::Exit, payload.data(), payload.size());
}

/// After everything that the program has registered for its end, which may call MPI.
__attribute__((destructor)) void finish() {
    if (recorder.is_own_process()) recorder.finish();
}

}  // namespace

void watch_endings(const Options& options) {
    if (options.signals) watch_signals();
    on_exit([](int code, void* /*unused*/) { record_exit(code); }, nullptr);
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
    mqinspect::tracer::record_exit(code);
    for (;;)
        syscall(SYS_exit_group, code);
}

MQT_EXPORT __attribute__((noreturn)) void _Exit(int code) {  // NOLINT: the C library's name
    _exit(code);
}
