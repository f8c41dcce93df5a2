/// Which regions of teams may have the token of some semaphores at first.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "thread_level/analysis/tokens.h"

namespace mqinspect::thread_level {

/// Whether `node`, or what it calls, uses some of the semaphores in a step of the kind.
bool reaches(const Program& program,
             Node node,
             const std::set<StringId>& semaphores,
             StepKind kind);

/// Regions in which some of the semaphores are posted, that one thread at a time executes of the
/// only team around them.
std::vector<PartOfTeam> possible_holders(const Program& program,
                                         const std::set<StringId>& semaphores);

/// Whether the program comes to the region once at most.
bool is_entered_once(const Program& program, PartOfTeam part);

/// The outermost region around the step's that one thread of the team executes; nothing if several
/// may, or the function is called in a team.
std::optional<RegionId> part_of_team(const Program& program, FunctionId function, StepId step);

}  // namespace mqinspect::thread_level
