/// The shell, where a subcommand opens one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/options.h"
#include "inspector/session/session.h"

namespace mqinspect::commands {

struct ShellOptions {
    bool batch = false;
    std::vector<std::string> commands;  ///< to be carried out instead of a report
};

/// --batch, --command.
void add_shell_options(CLI::App& command, ShellOptions& options);

/// Carries out the commands if there are any; else prints the report and, if somebody sits
/// there to ask, what is typed: a report as text, on a terminal, from a terminal. `session`
/// has made the findings; empty: they were saved. The exit code of the last look, or
/// CannotDo if one of the commands could not be carried out.
Result<ExitCode> report_or_ask(std::optional<session::Session> session,
                               session::Findings findings,
                               const ReportOptions& report,
                               const ShellOptions& options);

}  // namespace mqinspect::commands
