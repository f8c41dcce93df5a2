/// Crashes: recorded with address and stack, then left to whom they were for.
#pragma once

namespace mqinspect::tracer {

/// Puts handlers in front of those that the program has for SIGSEGV, SIGBUS, SIGFPE, SIGILL and
/// SIGABRT, and for SIGTRAP if memory may be guarded. Handlers that it sets later replace ours.
void watch_signals();
/// This thread has not come back from a handler that was there before ours: it is in it, or has
/// left it by a jump.
bool may_be_in_their_handler();
/// SIGTRAP still comes to our handler.
bool catches_traps();

}  // namespace mqinspect::tracer
