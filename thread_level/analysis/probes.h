/// Calls that look for a message, and those that may receive what they have found.
#pragma once

#include "thread_level/analysis/wording.h"

namespace mqinspect::thread_level {

/// Whether one message may be what `probe` finds and `receive` receives. Both are of the scope of
/// `pair`.
bool may_take(const Evidence& evidence, const Pair& pair, const Group& probe, const Group& receive);

/// Whether a call of the scope receives what `probe` may have found. Threads that only look for
/// messages take none away from each other.
bool is_received(const Evidence& evidence, const Pair& pair, const Group& probe);

}  // namespace mqinspect::thread_level
