/// Reading memory that a broken program may have left in any state, such as its own stack.
#pragma once

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
    /// Goes back, if there is a place to go back to; for signal handlers.
    static void go_back();

private:
    sigjmp_buf place_;
    Guarded* before_;
};

#define MQT_GUARDED(guarded) (sigsetjmp((guarded).place(), 1) == 0)

}  // namespace mqinspect::tracer
