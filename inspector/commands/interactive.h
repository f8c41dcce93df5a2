/// The shell, where a subcommand opens one.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/options.h"
#include "inspector/shell/shell.h"

namespace mqinspect::commands {

struct ShellOptions {
    bool batch = false;
    std::vector<std::string> commands;  ///< to be carried out instead of a report
};

/// --batch, --command.
void add_shell_options(CLI::App& command, ShellOptions& options);

/// True if somebody sits there to ask: a report as text, on a terminal, from a terminal.
bool wants_shell(const ShellOptions& options, const ReportOptions& report);

/// How a shell is seen with these options.
shell::Surface surface_of(const ShellOptions& options, const ReportOptions& report);

/// Carries out the commands if there are any, else what is typed. The exit code of the
/// last look, or CannotDo if one of the commands could not be carried out.
ExitCode run_shell(shell::Shell& shell, const ShellOptions& options);

}  // namespace mqinspect::commands
