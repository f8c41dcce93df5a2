/// Diagnostics in GCC's own ways, and the table of MPI calls.
#pragma once

#include "thread_level/gcc_plugin/arguments.h"
#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// All of the assessment that is neither switched off nor suppressed where it stands, by a comment
/// with "mpi-thread-level: ignore" on the line or the one above.
void report(const Gathering& gathering, const Assessment& assessment, const Arguments& arguments);

/// On standard error: each MPI call with the level it needs.
void print_summary(const Unit& unit, const Assessment& assessment);

/// Says so if OpenMP's directives of the main source are comments to GCC.
void report_ignored_directives(const Unit& unit);

}  // namespace mqinspect::thread_level::plugin
