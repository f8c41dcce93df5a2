/// mqinspect completion SHELL
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace mqinspect::commands {

/// What bash or zsh needs to complete the command line, made from the subcommands and
/// options that `app` has.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

/// Adds the subcommand to `app`, after all others. When it was chosen on the command
/// line, its exit code is in `exit_code` after parsing.
void add_completion(CLI::App& app, int& exit_code);

}  // namespace mqinspect::commands
