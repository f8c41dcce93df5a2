/// What -fplugin-arg-mpi_thread_level-KEY[=VALUE] says:
///   level=LEVEL     check against single, funneled, serialized or multiple, in place of what the
///                   unit's MPI_Init_thread asks for
///   entry=STATE     how functions are entered whose callers are unknown: serial (default), team,
///                   one-thread, main-thread, any; several with commas
///   strict-single   OpenMP regions in a process of MPI_THREAD_SINGLE are worth a warning
///   errors          what is wrong at each level is an error, not a warning
///   ignore=OPTION   as -Wno-OPTION; several with commas
///   check           calls of libmpi_thread_level_checks around what may be wrong
///   quiet           no warnings at all
///   no-notes        nothing is left in the object file for the link step
///   summary         a table of the MPI calls on standard error
///   dump            the facts of the unit on standard error
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "thread_level/analysis/assessment.h"

struct plugin_name_args;

namespace mqinspect::thread_level::plugin {

struct Arguments {
    Settings settings;
    bool errors = false;
    bool check = false;
    bool quiet = false;
    bool notes = true;
    bool summary = false;
    bool dump = false;
    std::vector<std::string> ignored;  ///< options without "-W"
    std::string problem;               ///< the first that can't be understood; empty: none
};

Arguments parse_arguments(const plugin_name_args& arguments);

}  // namespace mqinspect::thread_level::plugin
