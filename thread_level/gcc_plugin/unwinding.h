/// Ways of exceptions out of functions.
#pragma once

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::plugin {

/// Where the unit ends threads by the C library, all that their functions have is destroyed though
/// nobody catches anything: no step is of that alone.
void settle_unwinding(Unit& unit);

}  // namespace mqinspect::thread_level::plugin
