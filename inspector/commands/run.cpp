#include "inspector/commands/run.h"

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/options.h"
#include "inspector/launch/supervisor.h"

namespace mqinspect::commands {

namespace {

struct RunOptions {
    std::vector<std::string> command;
    session::SessionOptions session;
    ReportOptions report;
    double hang_after_seconds = 60;
    bool kill = false;
    bool batch = false;
};

/// As a shell has it.
int exit_code_of(int wait_status) {
    constexpr int killed = 128;
    return WIFSIGNALED(wait_status) ? killed + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

launch::SupervisorOptions supervisor_options(const RunOptions& options) {
    launch::SupervisorOptions result;
    result.session = options.session;
    result.hang_after = std::chrono::milliseconds(
        static_cast<std::chrono::milliseconds::rep>(options.hang_after_seconds * 1000));
    result.kill = options.kill;
    result.note = [quiet = options.report.output.quiet](const std::string& line) {
        if (!quiet) complain({ErrorCode::System, line});
    };
    result.report = [&report = options.report](const session::Findings& findings) {
        const auto written = write_report(findings.snapshot, findings.verdict, report);
        if (!written) complain(written.error());
    };
    return result;
}

int run(const RunOptions& options) {
    launch::Supervisor supervisor(supervisor_options(options));
    const auto started = supervisor.start(options.command);
    if (!started) {
        complain(started.error());
        return static_cast<int>(ExitCode::CannotDo);
    }
    // Not before: the job would inherit it.
    go_before_the_ranks();
    const launch::Outcome outcome = supervisor.run();
    return outcome.hung ? static_cast<int>(ExitCode::Findings) : exit_code_of(outcome.status);
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = app.add_subcommand(
        "run", "Run an MPI job and watch it: report when it hangs, or when a rank crashes");
    command->add_option("COMMAND", options->command, "what starts the job, after --")
        ->required()
        ->type_name("-- mpiexec ...");
    add_report_options(*command, options->report);
    add_session_options(*command, options->session);
    constexpr double shortest = 0.1;
    constexpr double longest = 1e6;
    command
        ->add_option("--hang-after",
                     options->hang_after_seconds,
                     "seconds without progress before the job is looked at; fractions are allowed")
        ->check(CLI::Range(shortest, longest))
        ->capture_default_str();
    command->add_flag("--kill", options->kill, "end the job when it hangs");
    command->add_flag("--batch", options->batch, "ask nothing");
    command->footer(
        "Exit code: 1 if a hang was reported, 2 if the command cannot be run, else that of the\n"
        "command (128 + N if signal N ended it).");
    command->callback([options, &exit_code] {
        complete(options->session);
        exit_code = run(*options);
    });
}

}  // namespace mqinspect::commands
