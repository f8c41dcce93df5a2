#include "inspector/commands/show.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/interactive.h"
#include "inspector/commands/options.h"
#include "inspector/session/session.h"
#include "inspector/session/snapshot_file.h"
#include "report/source_excerpts.h"

namespace mqinspect::commands {

namespace {

struct SaveOptions {
    std::vector<pid_t> pids;
    std::string file;
    session::SessionOptions session;
};

struct ShowOptions {
    std::string file;
    ReportOptions report;
    ShellOptions shell;
};

Result<ExitCode> save(const SaveOptions& options) {
    go_before_the_ranks();
    session::Session session = TRY(session::Session::attach(options.pids, options.session));
    session::Findings findings = session.look();
    report::keep_sources(findings.snapshot);
    TRY(session::save_findings(findings, options.file));
    return exit_code_of(findings.snapshot, findings.verdict);
}

Result<ExitCode> show(const ShowOptions& options) {
    session::Findings findings = TRY(session::load_findings(options.file));
    return report_or_ask(std::nullopt, std::move(findings), options.report, options.shell);
}

}  // namespace

void add_save(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<SaveOptions>();
    CLI::App* command = app.add_subcommand("save", "Save a look at a running MPI job in a file");
    command->add_option("PID", options->pids, "pid of mpiexec, of any rank, or of several ranks")
        ->required()
        ->check(pid_complaint);
    command->add_option("-o,--output", options->file, "the file, for mqinspect show")->required();
    add_session_options(*command, options->session);
    command->callback([options, &exit_code] {
        complete(options->session);
        exit_code = settle(save(*options));
    });
}

void add_show(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ShowOptions>();
    CLI::App* command =
        app.add_subcommand("show", "Show a look at a job that was saved, on any machine");
    command->add_option("FILE", options->file, "what save has written")->required();
    add_report_options(*command, options->report);
    add_shell_options(*command, options->shell);
    command->callback([options, &exit_code] { exit_code = settle(show(*options)); });
}

}  // namespace mqinspect::commands
