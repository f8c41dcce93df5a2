/// Steps behind which the process ends: what a thread calls on its way there needs no level.
#pragma once

#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// By function, then by step; empty for functions in which no process ends. True: all ways from the
/// step end in MPI_Abort, in a call that does not return, or in one of a function all of whose ways
/// do. None of them passes a barrier, or leaves a parallel region: what a team does together is the
/// program's work. One that goes round does not count unless what is behind the loop is MPI_Abort.
/// Of functions that call each other nothing is known.
std::vector<std::vector<bool>> ways_out(const Program& program);

}  // namespace mqinspect::thread_level
