/// The command line of mpi-thread-level-link.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thread_level/link/filter.h"

namespace mqinspect::thread_level::link {

struct Options {
    std::vector<std::string> files;
    std::string format = "text";
    std::string output;  ///< empty: standard output
    std::string baseline;
    std::string suppressions;
    std::string source_root;
    std::vector<std::string> run_reports;
    std::string color = "auto";
    std::optional<Level> level;
    WarningOptions warnings;
    bool table = false;
    bool strict_single = false;
    bool warn_only = false;
};

/// Or the exit code, if it has printed help, a version or a complaint.
struct ParsedOptions {
    Options options;
    std::optional<int> exit_code;
};
ParsedOptions parse_options(int count, char** words);

}  // namespace mqinspect::thread_level::link
