#include "inspector/commands/attach.h"

#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/interactive.h"
#include "inspector/commands/options.h"
#include "inspector/session/session.h"

namespace mqinspect::commands {

namespace {

struct AttachOptions {
    std::vector<pid_t> pids;
    session::SessionOptions session;
    ReportOptions report;
    ShellOptions shell;
};

Result<ExitCode> attach(const AttachOptions& options) {
    go_before_the_ranks();
    session::Session session = TRY(session::Session::attach(options.pids, options.session));
    session::Findings findings = session.look();
    return report_or_ask(std::move(session), std::move(findings), options.report, options.shell);
}

}  // namespace

void add_attach(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<AttachOptions>();
    CLI::App* command = app.add_subcommand(
        "attach", "Look at a running MPI job: who waits for whom, and is it a deadlock");
    command->add_option("PID", options->pids, "pid of mpiexec, of any rank, or of several ranks")
        ->required()
        ->check(pid_complaint);
    add_report_options(*command, options->report);
    add_session_options(*command, options->session);
    add_shell_options(*command, options->shell);
    command->callback([options, &exit_code] {
        complete(options->session);
        exit_code = settle(attach(*options));
    });
}

}  // namespace mqinspect::commands
