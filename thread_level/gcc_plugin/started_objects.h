/// Objects that all threads are handed which a loop starts.
#pragma once

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Outside of OpenMP constructs: what is at `address`, and whether it is one object however often
/// the function comes there. That is one which is declared outside of loops.
Value one_object_at(Values& values, tree address);

}  // namespace mqinspect::thread_level::plugin
