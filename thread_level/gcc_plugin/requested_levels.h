/// The thread level that a program requests, where a member of a static variable has it, or a
/// function of the unit returns it.
#pragma once

#include <unordered_set>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// Whether the numbers of the unit may be thread levels: it knows MPI's names.
bool knows_levels();
/// Of a variable or member.
bool is_plain_int(tree variable);
/// Notes the one number that the function at hand returns, if it may be a level.
void note_constant_result(Gathering& gathering, SourceWalk& source, Values& values);
/// What `required` is, of a call `init`; until the unit is complete, the name of the function that
/// returns it.
Value requested_level(
    tree required, const Located& init, SourceWalk& source, Callees& callees, Values& values);
void settle_requested_levels(Gathering& gathering);

/// Counts an assignment to a number that is a member of the static `variable`.
void note_member_write(Gathering& gathering, tree variable, gimple* statement);
/// Adds the numbers that are members of static variables, if `names` has them, or other units may
/// request them.
void add_members(Gathering& gathering, const std::unordered_set<StringId>& names);

}  // namespace mqinspect::thread_level::plugin
