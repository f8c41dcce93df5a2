/// Requests of which tasks have copies.
#pragma once

#include "thread_level/analysis/wording.h"

namespace mqinspect::thread_level {

/// Whether the calls of two groups that meet are in tasks to which one thread, in a single or
/// master construct, has given copies of one request: it starts none between them.
bool have_copies_of_one(const Evidence& evidence, const Pair& pair, const Group& a, const Group& b);

}  // namespace mqinspect::thread_level
