/// Which world has spawned which.
///
/// A process cannot name those of another world: MPI gives worlds no names. But the processes that
/// MPI_Comm_spawn starts call MPI for the first time while those that spawn them are in that call,
/// under the same launcher, and each side knows how many the others are.
#pragma once

#include <vector>

#include "trace_io/process_files.h"

namespace mqinspect::trace_io {

/// Fills in CommunicatorRecord::foreign of the intercommunicators between such worlds and of what
/// was merged or duplicated from them. Where several spawns at the same time could have started
/// the same worlds, those remain unknown.
void name_spawned_worlds(std::vector<ProcessFiles>& processes);

}  // namespace mqinspect::trace_io
