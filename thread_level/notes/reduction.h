/// A unit without what can't matter to the rest of a program.
#pragma once

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::notes {

/// Leaves out functions, regions, steps and variables; the strings stay, used or not.
Unit reduce(Unit unit);

}  // namespace mqinspect::thread_level::notes
