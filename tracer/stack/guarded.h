/// Reading memory that a broken program may have left in any state, such as its own stack.
#pragma once

#include <ucontext.h>

#include <csetjmp>

namespace mqinspect::tracer {

/// Until it goes out of scope, a fault goes back to MQT_GUARDED, which is then false:
///
///     Guarded guarded;
///     if (MQT_GUARDED(guarded)) read();
///
/// Without our signal handlers (see watch_signals) the fault ends the process, as ever.
class Guarded {
public:
    Guarded();
    ~Guarded();
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    sigjmp_buf& place() { return place_; }

private:
    sigjmp_buf place_;
    Guarded* before_;
};

#define MQT_GUARDED(guarded) (sigsetjmp((guarded).place(), 1) == 0)

/// The same in a few instructions, for what is done at each call; in a function that is never
/// inlined, and keeps nothing else than what it has been given:
///
///     const Attempt attempt;
///     return MQT_ATTEMPT(attempt) ? read() : nothing;
extern thread_local constinit bool attempts [[gnu::tls_model("initial-exec")]];
class Attempt {
public:
    Attempt() { attempts = true; }
    ~Attempt() { attempts = false; }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;
};

/// GCC's: the frame, the stack, and where to go on.
struct AttemptPlace {
    void* words[5] = {};
};
extern thread_local constinit AttemptPlace attempt_place [[gnu::tls_model("initial-exec")]];
#define MQT_ATTEMPT(attempt) \
    (static_cast<void>(attempt), __builtin_setjmp(attempt_place.words) == 0)

/// For a signal handler, of the fault that `context` shows: goes back to the innermost of both
/// kinds, if there is one.
void go_back(const ucontext_t& context);

}  // namespace mqinspect::tracer
