/// Flags that say which thread level MPI provides: `locked = provided < MPI_THREAD_MULTIPLE`, or
/// `if (provided == MPI_THREAD_MULTIPLE) locked = 0`. A flag is a variable with static storage, a
/// member of a class, or what a function returns. All that the unit writes to it tells, when the
/// unit is complete; what it is before that, or by default, is no answer. So do numbers that are
/// how many threads a team has, or the rank or size of a communicator.
#pragma once

#include <functional>

#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// What one side of a branch says of the provided level, as in Variable::level_if_true; 0: nothing.
std::int8_t level_said(const Implication& side);

/// What flags say, as far as this unit tells. `is_level`: whether MPI tells a level in what has
/// that DECL_UID.
void settle_level_flags(Gathering& gathering, const std::function<bool(unsigned)>& is_level);

/// Whether it is a flag.
bool says_level(const Gathering& gathering, StringId keeper);

/// A guard on what only this unit writes to.
void settle_level_guard(const Gathering& gathering, Region& guard);

/// What the whole program has to know of a flag that it may have.
void set_levels(const Gathering& gathering, Variable& flag);

/// Members that other units have, too.
void add_flag_members(Gathering& gathering);

/// Functions that others may ask for the rank or size of a communicator, under their symbols.
void add_told_results(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
