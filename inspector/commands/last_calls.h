/// What the processes of a recorded run did last.
#pragma once

#include <string>
#include <vector>

namespace mqinspect::commands {

/// Lines such as "ranks 0,2 were in MPI_Barrier, solver.c(90): MPI_Barrier(comm);", one for those
/// that did the same; the ranks of MPI_COMM_WORLD, ascending. Empty if all have come back from
/// MPI_Finalize, or if the recording cannot be read.
std::vector<std::string> last_calls(const std::string& folder);

}  // namespace mqinspect::commands
