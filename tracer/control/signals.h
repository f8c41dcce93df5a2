/// Crashes: recorded with address and stack, then left to whom they were for.
#pragma once

#include <csignal>

// The C library's: sigaction() is the recorder's own (their_traps.cpp).
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" int __sigaction(int number, const struct sigaction* action, struct sigaction* old);

namespace mqinspect::tracer {

/// Puts handlers in front of those that the program has for SIGSEGV, SIGBUS, SIGFPE, SIGILL and
/// SIGABRT, and for SIGTRAP if memory may be guarded. Handlers that it sets later replace ours, but
/// for SIGTRAP (their_traps.cpp).
void watch_signals();
/// This thread has not come back from a handler that was there before ours: it is in it, or has
/// left it by a jump.
bool may_be_in_their_handler();
/// SIGTRAP still comes to our handler.
bool catches_traps();
/// As sigaction(), of what is behind our handler. Precondition: that is there.
int replace_behind_ours(int number, const struct sigaction* action, struct sigaction* old);

}  // namespace mqinspect::tracer
