#include "tracer/control/signals.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <csignal>

#include "tracer/control/access_steps.h"
#include "tracer/control/buffer_guards.h"
#include "tracer/control/explain.h"
#include "tracer/control/local_memory.h"
#include "tracer/control/thread_guards.h"
#include "tracer/control/window_memory.h"
#include "tracer/event.h"
#include "tracer/kept_errno.h"
#include "tracer/recorder.h"
#include "tracer/stack/guarded.h"
#include "tracer/stack/images.h"
#include "tracer/stack/stacks.h"
#include "tracer/stack/unwind.h"

namespace mqinspect::tracer {

namespace {

constexpr int kWatched[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
constexpr std::size_t kStackBytes = std::size_t{64} * 1024;

struct sigaction before[NSIG];
thread_local constinit int depth [[gnu::tls_model("initial-exec")]] = 0;
thread_local constinit bool in_their_handler [[gnu::tls_model("initial-exec")]] = false;

bool is_fault(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/// Sent by kill or raise, not made by an instruction.
bool was_sent(const siginfo_t& info) {
    return info.si_code <= 0;
}

/// The stack of what was interrupted, innermost first.
std::size_t interrupted_stack(const ucontext_t& context, std::uint64_t* addresses) {
    const auto instruction = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    const auto stack = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RSP]);
    addresses[0] = instruction + 1;
    Frame frames[kMostFrames];
    const std::size_t callers = unwind(instruction, 0, frames, recorder.options().stack_depth - 1);
    for (std::size_t i = 0; i < callers; ++i)
        addresses[i + 1] = frames[i].address;
    if (callers != 0 || known_code_address(instruction).image != 0) return callers + 1;
    // A call of a null pointer has left nothing but its return address.
    Guarded guarded;
    if (!MQT_GUARDED(guarded)) return 1;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a register
    addresses[1] = *reinterpret_cast<const std::uint64_t*>(stack);
    return 2;
}

/// A guard has caught the program. `instruction`: an address in the one that has touched, 0: it is
/// the one that was interrupted.
void record_touch(const Touch& touch, std::uint64_t instruction, const ucontext_t& context) {
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr || thread->log.busy() || locks_held != 0) return;
    std::uint64_t addresses[kMostFrames + 1];
    const std::size_t count = interrupted_stack(context, addresses);
    if (instruction != 0) addresses[0] = instruction + 1;
    memory_touched(*thread, touch, stack_id(recorder.definitions(), addresses, count));
}

/// The same of a watchpoint that is not the thread's own. Of a thread in a call it is MPI.
void record_touch_by(std::uint64_t mark, std::uint64_t address, const ucontext_t& context) {
    const bool in_call =
        this_thread != nullptr && (this_thread->log.has_open_calls() || this_thread->log.busy());
    if (in_call || !recorder.recording() || locks_held != 0) return;
    if (is_window_loaded_beside(address, context)) return;
    if (is_of_buffer(mark) && !is_touch(mark, address, context)) return;
    std::uint64_t addresses[kMostFrames + 1];
    const std::size_t count = interrupted_stack(context, addresses);
    // A watchpoint stops behind its instruction.
    addresses[0] = static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
    memory_touched_by(mark, {address}, stack_id(recorder.definitions(), addresses, count));
}

void record_signal(int number, const siginfo_t& info, const ucontext_t& context) {
    Thread* thread = recorder.recording() ? this_thread : nullptr;
    if (thread == nullptr) return;
    std::uint64_t addresses[kMostFrames + 1];
    const std::size_t count = interrupted_stack(context, addresses);
    // What we hold ourselves cannot be waited for.
    std::int64_t stack = -1;
    if (locks_held == 0) stack = stack_id(recorder.definitions(), addresses, count);
    const auto address = is_fault(number) && !was_sent(info)
                             ? reinterpret_cast<std::uint64_t>(info.si_addr)
                             : std::uint64_t{0};
    EventPayload payload;
    payload.number(number).number(info.si_code).bits(address).number(stack);
    if (!thread->log.busy())
        thread->log.event(model::EventKind::Signal, payload.data(), payload.size());
    if (locks_held == 0) {
        recorder.define_clock();
        explain_signal(number, info.si_code, address, addresses, count);
    }
}

void act_as_default(int number) {
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    __sigaction(number, &action, nullptr);
}

/// A fault in their handler, which would have ended the process at once: the signal is blocked
/// there.
bool is_hopeless(int number, const siginfo_t& info) {
    return in_their_handler && is_fault(number) && !was_sent(info) &&
           (before[number].sa_flags & SA_NODEFER) == 0;
}

/// What would have happened without us.
void hand_on(int number, siginfo_t* info, void* context) {
    const struct sigaction& theirs = before[number];
    if ((theirs.sa_flags & SA_SIGINFO) != 0) {
        in_their_handler = true;
        theirs.sa_sigaction(number, info, context);
        in_their_handler = false;
        return;
    }
    if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) {
        in_their_handler = true;
        theirs.sa_handler(number);
        in_their_handler = false;
        return;
    }
    if (theirs.sa_handler == SIG_IGN && was_sent(*info)) return;
    act_as_default(number);
    // A faulting instruction is run again on return, and ends the process with a core dump that
    // shows it. What was sent has to be sent again; it comes when this handler returns.
    if (was_sent(*info) || !is_fault(number))
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

/// True: it was none of the program's.
bool was_guard(int number, const siginfo_t& info, void* context) {
    if (recorder.options().guards == Guards::None) return false;
    const auto address = reinterpret_cast<std::uint64_t>(info.si_addr);
    auto& interrupted = *static_cast<ucontext_t*>(context);
    std::uint64_t mark = 0;
    const bool trap = is_watchpoint_trap(number, info, mark);
    const bool first = this_thread != nullptr && this_thread->id == 0;
    if (trap && (mark != 0 || !first)) {
        const KeptErrno kept;
        record_touch_by(mark, address, interrupted);
        return true;
    }
    const bool watchpoint = trap && is_watched(address);
    // It was closed meanwhile.
    if (trap && !watchpoint) return true;
    if (!watchpoint && (number != SIGSEGV || was_sent(info) || !lift_guard(address))) return false;
    const KeptErrno kept;
    pause_watchpoints();
    // The instruction of a fault has not been executed, that of a watchpoint has.
    const auto behind = static_cast<std::uint64_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
    if (!watchpoint || !was_loaded_beside(address, interrupted))
        record_touch({address}, watchpoint ? behind - 1 : 0, interrupted);
    resume_watchpoints();
    return true;
}

/// True: it was one of ours.
bool was_step(int number, const siginfo_t& info, void* context) {
    if (number != SIGTRAP || info.si_code != TRAP_TRACE) return false;
    auto& interrupted = *static_cast<ucontext_t*>(context);
    const KeptErrno kept;
    if (!take_step(interrupted)) return false;
    TouchAt touch;
    while (next_touch(touch))
        record_touch(touch.touch, touch.instruction, interrupted);
    if (gave_up_steps()) watch_instead_of_steps();
    return true;
}

void handle(int number, siginfo_t* info, void* context) {
    if (was_step(number, *info, context) || was_guard(number, *info, context)) return;
    if (is_fault(number) && !was_sent(*info)) go_back(*static_cast<const ucontext_t*>(context));
    if (is_hopeless(number, *info)) return act_as_default(number);
    {
        const KeptErrno kept;
        if (depth++ == 0) record_signal(number, *info, *static_cast<const ucontext_t*>(context));
        --depth;
    }
    hand_on(number, info, context);
}

/// Ours in front of what is known in `before`.
int put_in_front(int number) {
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_mask = before[number].sa_mask;
    // Nested, because reading a broken stack may fault once more; signal() masks the signal itself.
    for (const int fault : kWatched)
        if (is_fault(fault)) sigdelset(&action.sa_mask, fault);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER |
                      (before[number].sa_flags & (SA_RESTART | SA_NOCLDSTOP));
    return __sigaction(number, &action, nullptr);
}

/// An overflow of the stack leaves no room for a handler on it.
void have_signal_stack() {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    stack_t ours{};
    ours.ss_sp = map_pages(kStackBytes);
    ours.ss_size = kStackBytes;
    if (ours.ss_sp != nullptr) sigaltstack(&ours, nullptr);
}

}  // namespace

void watch_signals() {
    have_signal_stack();
    for (const int number : kWatched) {
        if (number == SIGTRAP && recorder.options().guards == Guards::None) continue;
        if (__sigaction(number, nullptr, &before[number]) == 0) put_in_front(number);
    }
}

bool may_be_in_their_handler() {
    return in_their_handler;
}

bool catches_traps() {
    struct sigaction now {};
    return __sigaction(SIGTRAP, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
           now.sa_sigaction == handle;
}

int replace_behind_ours(int number, const struct sigaction* action, struct sigaction* old) {
    const struct sigaction given = action == nullptr ? before[number] : *action;
    if (old != nullptr) *old = before[number];
    before[number] = given;
    return action == nullptr ? 0 : put_in_front(number);
}

}  // namespace mqinspect::tracer
