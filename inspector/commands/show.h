/// mqinspect save PID [PID...] -o FILE, and mqinspect show FILE
#pragma once

#include <CLI/App.hpp>

namespace mqinspect::commands {

/// Add the subcommands to `app`. When one was chosen on the command line, its exit code is
/// in `exit_code` after parsing.
void add_save(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);

}  // namespace mqinspect::commands
