/// Which thread is MPI's main thread: "the thread that called MPI_INIT or MPI_INIT_THREAD"
/// (MPI-4.0, 11.6.1), which need not be the one that executes `main`.
#pragma once

#include <optional>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

/// The step that starts the thread which initializes MPI, in the function `from`; nothing if the
/// thread that comes in from outside does so, or if that can't be told. `main`: where the program
/// starts, kNone if that is not there.
std::optional<CallerEdge> start_of_main_thread(const Program& program, FunctionId main);

/// Where the program starts; kNone: that is not there.
FunctionId main_of(const Program& program);

/// Whether the thread that `step` of a function starts is the one that initializes MPI.
bool starts_main_thread(const Program& program, FunctionId from, StepId step);

}  // namespace mqinspect::thread_level
