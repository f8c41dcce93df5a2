/// Units into a program: what several of them say, with one set of strings, symbols resolved as a
/// linker would.
#pragma once

#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Symbols with internal linkage get the unit's source in front ("a.c:helper"), so that calls by
/// symbol keep their meaning. Of mergeable functions the first stays. Writes of variables add up;
/// a constant survives if all units that write agree.
Unit join(const std::vector<Unit>& units);

}  // namespace mqinspect::thread_level
