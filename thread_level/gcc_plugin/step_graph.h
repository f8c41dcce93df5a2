/// Graphs of steps without those that say nothing. Knows facts only, not GCC.
#pragma once

#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level::plugin {

/// Takes out what can't be reached and Join steps, as far as that makes the graph smaller. Returns
/// for each step that is left, in the order of the source, its old number.
std::vector<StepId> reduce(std::vector<Step>& steps);

/// Clears the condition of guards around all the rest of a function that begins or ends with MPI: a
/// program that ends when too low a level is provided, needs that level. One that goes on with MPI
/// there does not.
void drop_level_tests(Function& function, const Strings& strings);

/// Clears the condition of guards on whether MPI is initialized, or a static variable made, where
/// nothing in them may initialize MPI, and takes out the ways past such. False: steps are as
/// they were.
bool drop_idle_ways_past(Function& function, const Strings& strings);

/// Takes out guards that contain nothing and those whose condition is None.
void drop_idle_guards(Function& function);

}  // namespace mqinspect::thread_level::plugin
