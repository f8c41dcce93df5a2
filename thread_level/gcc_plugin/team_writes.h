/// Which static variables may change while a team is at work, as far as the unit tells: it writes
/// to them in a parallel region, or in a function that is called from one, or that a thread starts
/// with.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

/// What the function that is walked writes, and whom it calls.
void note_team_writes(Gathering& gathering, SourceWalk& source, Callees& callees);

/// Once all functions are known: fills TeamWrites::in_teams up, and `reached`.
void settle_team_writes(Gathering& gathering);

/// What the whole program has to know: NumberWriter.
void add_writers(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
