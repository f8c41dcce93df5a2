/// mqinspect locate MESSAGE [IMAGE ADDRESS]...: for the recorder, in a process that crashes.
#pragma once

#include <CLI/App.hpp>

namespace mqinspect::commands {

/// Adds the subcommand, which no help lists, to `app`. When it was chosen on the command line,
/// its exit code is in `exit_code` after parsing.
void add_locate(CLI::App& app, int& exit_code);

}  // namespace mqinspect::commands
