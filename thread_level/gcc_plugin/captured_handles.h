/// Requests, windows, files and communicators of main() that lambdas refer to, and requests and
/// communicators of which they have copies.
#pragma once

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Remembers which variables of main() the function puts into closures.
void note_captured_handles(Gathering& gathering,
                           SourceWalk& source,
                           Values& values,
                           Callees& callees);

/// At the end of the unit: what such a lambda uses is the variable of main(), as if it were static.
void settle_captured_handles(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
