/// Variables that say that MPI is initialized: `if (!initialized) { MPI_Init_thread(...);
/// initialized = 1; }`.
#pragma once

#include <optional>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

/// The unit, with a guard for Condition::NotInitialized around what a function comes to only where
/// such a variable is 0, and Condition::Initialized on the other way: of regions with has_flag().
/// Steps stay what they are; regions get other numbers. Nothing if there is no such variable: it is
/// 1 only behind what initializes MPI, and 0 again only where that is finalized.
std::optional<Unit> with_initialized_flags(const Program& program);

}  // namespace mqinspect::thread_level
