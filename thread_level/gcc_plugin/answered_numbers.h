/// What functions that other units may call give of the number of the thread, for the whole program
/// to know: by a result that is the number and something, or where an argument points to.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Notes the sums as results, and adds a function for each such argument, under name_of_answer().
/// The keepers of the unit have to be settled.
void add_answers(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
