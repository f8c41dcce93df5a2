/// mqinspect record -o DIR [options] -- COMMAND
#pragma once

#include <CLI/App.hpp>

namespace mqinspect::commands {

/// Adds the subcommand to `app`. When it was chosen on the command line, its exit
/// code is in `exit_code` after parsing.
void add_record(CLI::App& app, int& exit_code);

}  // namespace mqinspect::commands
