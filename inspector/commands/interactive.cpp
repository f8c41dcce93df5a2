#include "inspector/commands/interactive.h"

#include <unistd.h>

#include <utility>

#include "inspector/shell/shell.h"
#include "inspector/shell/terminal.h"

namespace mqinspect::commands {

namespace {

bool wants_shell(const ShellOptions& options, const ReportOptions& report) {
    return !options.batch && report.format == "text" && report.output.file.empty() &&
           !report.output.quiet && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

shell::Surface surface_of(const ShellOptions& options, const ReportOptions& report) {
    const shell::TerminalOptions terminal{use_color(report.output), terminal_width};
    return options.commands.empty() ? shell::terminal_surface(terminal)
                                    : shell::script_surface(terminal);
}

ExitCode run_shell(shell::Shell& shell, const ShellOptions& options) {
    bool failed = false;
    if (options.commands.empty()) {
        shell::run_on_terminal(shell);
    } else {
        for (const std::string& command : options.commands) {
            const auto outcome = shell.execute(command);
            failed |= outcome == shell::Shell::Outcome::Failed;
            if (outcome == shell::Shell::Outcome::Quit) break;
        }
    }
    const session::Findings& findings = shell.findings();
    return failed ? ExitCode::CannotDo : exit_code_of(findings.snapshot, findings.verdict);
}

}  // namespace

void add_shell_options(CLI::App& command, ShellOptions& options) {
    command.add_flag("--batch", options.batch, "ask nothing, print one report and detach");
    command
        .add_option("--command",
                    options.commands,
                    "carry out a command of the shell instead of a report; may be repeated")
        ->allow_extra_args(false);
}

Result<ExitCode> report_or_ask(std::optional<session::Session> session,
                               session::Findings findings,
                               const ReportOptions& report,
                               const ShellOptions& options) {
    if (options.commands.empty()) {
        const ExitCode code = TRY(write_report(findings.snapshot, findings.verdict, report));
        if (!wants_shell(options, report)) return code;
    }
    shell::Surface surface = surface_of(options, report);
    if (!session) {
        shell::Shell shell(std::move(surface), std::move(findings));
        return run_shell(shell, options);
    }
    shell::Shell shell(std::move(surface), *std::move(session), std::move(findings));
    return run_shell(shell, options);
}

}  // namespace mqinspect::commands
